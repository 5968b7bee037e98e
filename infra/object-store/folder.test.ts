import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { objectStoreContract } from "./contract.fixture.ts";
import { folderObjectStore } from "./folder.ts";
import { probeConditionalWrites, probedBeforeUse } from "./open.ts";
import { type ObjectStore, UnsafeObjectStore } from "./store.ts";

const temporaryFolder = (): Promise<string> => mkdtemp(join(tmpdir(), "colloquy-objects-"));
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

objectStoreContract("a folder", async () => {
  const folder = await temporaryFolder();
  return { environment: { DATA_DIR: folder, NODE_ENV: "test" }, tearDown: () => rm(folder, { recursive: true }) };
});

describe("the folder of objects", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("is not locked by a process that died while it held the lock", async () => {
    const store = folderObjectStore(folder);
    const put = await store.put("counter", bytesOf("1"));
    const holder = `const { DatabaseSync } = require("node:sqlite");
      const lock = new DatabaseSync(${JSON.stringify(join(folder, ".lock.db"))});
      lock.exec("BEGIN IMMEDIATE"); process.stdout.write("held"); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ["-e", holder], { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(put.ok && (await store.put("counter", bytesOf("2"), { ifMatch: put.etag })).ok).to.equal(true);
  });

  it("clears up what a dead process left unfinished, and only that", async () => {
    await folderObjectStore(folder).put("a", bytesOf("a"));
    const old = join(folder, ".work", "old");
    await writeFile(old, "half");
    await utimes(old, new Date(0), new Date(0));
    await writeFile(join(folder, ".work", "young"), "half");
    await folderObjectStore(folder).put("b", bytesOf("b"));
    expect(await readdir(join(folder, ".work"))).to.deep.equal(["young"]);
  });

  it("leaves no unfinished file behind, won or lost", async () => {
    const store = folderObjectStore(folder);
    await store.put("a", bytesOf("1"), { ifNoneMatch: true });
    await store.put("a", bytesOf("2"), { ifNoneMatch: true });
    await store.put("a", bytesOf("3"), { ifMatch: "wrong" });
    expect(await readdir(join(folder, ".work"))).to.deep.equal([]);
  });
});

describe("the probe of conditional writes", () => {
  const careless = (ignored: "ifNoneMatch" | "ifMatch", store: ObjectStore): ObjectStore => ({
    ...store,
    put: (key, bytes, condition) => store.put(key, bytes, condition && ignored in condition ? undefined : condition),
  });

  it("refuses a store that accepts every write", async () => {
    const folder = await temporaryFolder();
    try {
      for (const ignored of ["ifNoneMatch", "ifMatch"] as const) {
        const store = careless(ignored, folderObjectStore(folder));
        expect(await probeConditionalWrites(store).catch((error: unknown) => error), ignored).to.be.instanceOf(UnsafeObjectStore);
        const guarded = probedBeforeUse(store);
        const attempt = (): Promise<unknown> => guarded.put("a", bytesOf("a"), { ifNoneMatch: true }).catch((error: unknown) => error);
        expect(await attempt(), ignored).to.be.instanceOf(UnsafeObjectStore);
        expect(await attempt(), `${ignored}, asked again`).to.be.instanceOf(UnsafeObjectStore);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
