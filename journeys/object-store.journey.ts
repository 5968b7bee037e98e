import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type S3Double, startS3Double } from "@colloquy/infra/object-store/s3-double.fixture.ts";
import { expect } from "chai";
import { type Program, startProgram } from "./program.ts";

const page = "/courses/linear-maps/directions-that-stay/eigenvectors";
const folder = fileURLToPath(new URL("../infra/demo/courses/linear-maps", import.meta.url));

describe("the program with its courses in an S3", () => {
  let double: S3Double;
  let program: Program | undefined;
  beforeEach(async () => {
    double = await startS3Double();
  });
  afterEach(async () => {
    await program?.stop();
    program = undefined;
    await double.close();
  });

  const read = async (path: string): Promise<{ status: number; text: string }> => {
    const response = await fetch(`${program?.url}${path}`);
    return { status: response.status, text: await response.text() };
  };
  const readOnce = async (path: string): Promise<string> => {
    for (let tries = 0; tries < 600; tries += 1) {
      const { status, text } = await read(path);
      if (status === 200) return text;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`${path} cannot be read:\n${program?.output()}`);
  };

  it("publishes courses there and serves pages, pictures and search from it", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "colloquy-bucket-"));
    try {
      program = await startProgram({ ...double.environment, S3_PREFIX: "school/colloquy", DATA_DIR: dataDir });
      expect(await readOnce(page)).to.contain("Eigenvectors");
      expect(program.output()).to.match(/course objects +127\.0\.0\.1:\d+ +colloquy-double\/school\/colloquy/);
      const report = await program.tool("command-api/publication/import/cli.ts", folder, "--id", "linear-maps-copy", "--title", "Second");
      expect(report).to.contain("Published as revision 1");
      const copy = page.replace("linear-maps", "linear-maps-copy");
      const picture = /\/api\/courses\/linear-maps-copy\/assets\/[0-9a-f]{64}/.exec(await readOnce(copy))?.[0];
      expect((await read(picture ?? "")).text).to.contain("<svg");
      const keys = [...double.objects.keys()];
      expect(keys.filter((key) => !key.startsWith("school/colloquy/"))).to.deep.equal([]);
      expect(keys).to.include("school/colloquy/courses/linear-maps-copy/live.json");
      expect(await readdir(dataDir)).not.to.include("objects");
    } finally {
      await program?.stop();
      program = undefined;
      rmSync(dataDir, { recursive: true, force: true });
    }
  });

  it("recovers after an outage of the S3 service", async () => {
    program = await startProgram(double.environment);
    await readOnce(page);
    double.faults.push({ what: { status: 503, code: "SlowDown" }, times: 3 }, { what: "before", times: 1 });
    const report = await program.tool("command-api/publication/import/cli.ts", folder, "--id", "linear-maps-copy");
    expect(report).to.contain("Published as revision 1");
    expect(await readOnce(page.replace("linear-maps", "linear-maps-copy"))).to.contain("Eigenvectors");
  });

  it("refuses to start on an S3 without conditional writes, and says why", async () => {
    await double.close();
    double = await startS3Double({ ignores: ["ifNoneMatch"] });
    const dataDir = mkdtempSync(join(tmpdir(), "colloquy-bucket-"));
    try {
      const env = { ...process.env, ...double.environment, PORT: "0", EVENTSTORE_PORT: "0", DATA_DIR: dataDir };
      const launcher = spawn(process.execPath, ["infra/start.js"], { cwd: fileURLToPath(new URL("..", import.meta.url)), env });
      let output = "";
      for (const stream of [launcher.stdout, launcher.stderr])
        stream.on("data", (chunk: Buffer) => {
          output += chunk.toString();
        });
      const [code] = await once(launcher, "close");
      expect(code, output).to.equal(1);
      expect(output).to.contain("The object store does not honour conditional writes: it created an object twice.");
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});
