import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { skipTest } from "@colloquy/infra/skip-test.fixture.ts";
import { expect } from "chai";
import { type ScriptedApi, sampleJob, scriptedApi } from "./worker/scripted-api.fixture.ts";

const main = fileURLToPath(new URL("main.ts", import.meta.url));

describe("a worker as a program", function () {
  this.timeout(120_000);
  let api: ScriptedApi;
  let folder: string;
  let started: ChildProcess[];
  beforeEach(async () => {
    api = await scriptedApi();
    folder = mkdtempSync(join(tmpdir(), "worker-program-"));
    started = [];
  });
  afterEach(async () => {
    for (const child of started) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill("SIGKILL");
      await once(child, "close");
    }
    await api.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  function start(environment: Record<string, string> = {}) {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const env = {
      PATH,
      NODE_COMPILE_CACHE,
      RENDER_API_URL: api.url,
      RENDER_WORKER_TOKEN: api.token,
      RENDER_FOLDER: folder,
      ...environment,
    };
    const child = spawn(process.execPath, [main], { env, stdio: ["ignore", "pipe", "pipe"] });
    started.push(child);
    return child;
  }
  /** The processes of renders in this test's folder. */
  const renders = (): string[] =>
    readdirSync("/proc").filter((pid) => {
      try {
        return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(join(folder, "jobs"));
      } catch {
        return false;
      }
    });

  it("refuses to start in production where bubblewrap does not work, and says what to do", async () => {
    const child = start({ NODE_ENV: "production", PATH: "" });
    const said = text(child.stderr);
    const [code] = await once(child, "close");
    expect(code).to.equal(78);
    expect(await said).to.include("RENDER_ISOLATION=preferred");
  });

  it("says that it renders in the weaker isolation and that FFmpeg is missing, and fails jobs for that", async () => {
    api.script.give = sampleJob();
    const child = start({ PATH: "" });
    const said = text(child.stderr);
    await api.until(/fail/);
    expect(api.heard).to.include("fail encoder_missing");
    child.kill("SIGTERM");
    const [weaker = "", missing = ""] = (await said).split("\n");
    expect(JSON.parse(weaker)).to.include({ level: 40 });
    expect(JSON.parse(missing)).to.include({ level: 50 });
    expect(missing).to.include("Install `ffmpeg`");
  });

  it("says at once that it is there, looks for work, and goes when it is told to", async () => {
    const child = start();
    const [line] = await once(createInterface({ input: child.stdout }), "line");
    expect(JSON.parse(line as string)).to.deep.equal({ ready: true, port: 0 });
    await api.until(/claim/);
    expect(Date.now() - statSync(join(folder, "alive")).mtimeMs, "shows that it lives").to.be.lessThan(60_000);
    const [figures] = api.figures;
    expect(figures?.worker, "one name for the process").to.match(new RegExp(`-${child.pid}$`));
    expect(figures?.residentBytes, "how it does").to.be.greaterThan(figures?.heapBytes ?? Number.NaN);
    child.kill("SIGTERM");
    expect((await once(child, "close"))[0]).to.equal(0);
  });

  it("tells with each request how its process does, of two loops as of one, and what its renders hold", async function () {
    if (process.platform !== "linux") return skipTest(this, "there is no /proc here");
    const own = (): number => api.figures.length;
    api.script.give = sampleJob();
    start({ RENDER_WORKERS: "2" });
    await api.until(/lease/);
    while (renders().length === 0) await pause(20);
    const from = own();
    const holds = (one: (typeof api.figures)[number]) => one !== null && one.withRendersBytes > 1.2 * one.residentBytes;
    // A render has yet to grow when its process is first seen.
    while (own() < from + 4 || !api.figures.slice(from).some(holds)) await pause(20);
    const told = api.figures.slice(from);
    expect(told).not.to.include(null);
    expect(new Set(told.map((one) => one?.worker)).size, "one process").to.equal(1);
    const spent = api.figures.map((one) => one?.processorMilliseconds ?? Number.NaN);
    // Not each after the other: the loops' requests may overtake each other.
    expect(spent.at(-1)).to.be.greaterThan(spent[0] ?? Number.NaN);
  });

  it("refuses to start without an address or a token, and says so", async () => {
    const wrong: Record<string, string>[] = [{ RENDER_WORKER_TOKEN: "" }, { RENDER_API_URL: "" }, { RENDER_WORKER_TOKEN: "short" }];
    for (const environment of wrong) {
      const child = start(environment);
      const told = text(child.stderr);
      expect((await once(child, "close"))[0]).to.equal(78);
      expect(await told)
        .to.match(/RENDER_WORKER_TOKEN/)
        .and.not.contain("short");
    }
  });

  it("takes its render along, however it ends, and clears away what one that was killed left behind", async function () {
    if (process.platform !== "linux") return skipTest(this, "there is no /proc here");
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      api.script.give = sampleJob();
      api.heard.length = 0;
      const child = start();
      await api.until(/lease/);
      while (renders().length === 0) await pause(20);
      child.kill(signal);
      await once(child, "close");
      while (renders().length > 0) await pause(20);
      if (signal === "SIGTERM") expect(api.heard).to.include("fail worker_lost");
      expect(api.heard).not.to.include("complete");
    }
    const jobs = join(folder, "jobs");
    expect(readdirSync(jobs), "what the one that was killed left behind").to.have.length(1);
    api.heard.length = 0;
    start();
    await api.until(/claim/);
    expect(existsSync(jobs)).to.equal(false);
  });
});
