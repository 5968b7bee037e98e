import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../config.ts";
import { objectStoreContract } from "./contract.fixture.ts";
import { openObjectStore } from "./open.ts";
import { startS3Double } from "./s3-double.fixture.ts";

objectStoreContract("an S3 over HTTP (our double)", async () => {
  const double = await startS3Double({ pageSize: 2 });
  return {
    environment: { ...double.environment, S3_PREFIX: "tests/contract", DATA_DIR: join(tmpdir(), randomUUID()), NODE_ENV: "test" },
    tearDown: () => double.close(),
  };
});

const real = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith("S3_"))) as Record<string, string>;
if (real.S3_ENDPOINT) {
  objectStoreContract(`the bucket ${real.S3_BUCKET} at ${real.S3_ENDPOINT}`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "colloquy-bucket-"));
    const environment = {
      ...real,
      S3_PREFIX: [real.S3_PREFIX, "contract", randomUUID()].filter(Boolean).join("/"),
      DATA_DIR: folder,
      NODE_ENV: "test",
    };
    return {
      environment,
      async tearDown() {
        const store = openObjectStore(readConfig(environment));
        for await (const key of store.list("")) await store.remove(key);
        await rm(folder, { recursive: true });
      },
    };
  });
} else {
  describe("a real bucket keeps the contract of an object store", () => {
    before(() =>
      console.warn(
        "    !!! NOT RUN against a real bucket: set S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY to run it.",
      ),
    );
    it("was not tried: no S3_* is set");
  });
}
