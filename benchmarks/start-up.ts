import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePorts } from "@colloquy/infra/launch/ports.ts";
import { type Benchmark, milliseconds, percentile, sized, times } from "./benchmark.ts";

const starts = sized(5, 1);
const askEveryMs = 4;
const home = fileURLToPath(new URL("..", import.meta.url));
const emptyServer = 'require("node:http").createServer((q, r) => r.end()).listen(process.env.PORT, "127.0.0.1")';

interface Start {
  /** Until the front door answers at all, in milliseconds. */
  answers: number;
  /** Until everything is ready: `/readyz` is 200. */
  ready: number;
  process: ChildProcess;
}

/** The whole program from `node infra/start.js` to readiness, beside one Node process that does nothing but serve HTTP. */
export async function run(): Promise<Benchmark> {
  const folder = mkdtempSync(join(tmpdir(), "colloquy-start-up-"));
  const [port = 0] = await freePorts(1);
  const whole = () => start([join(home, "infra/start.js")], port, "/readyz", { DATA_DIR: folder, EVENTSTORE_PORT: "0" });
  try {
    const empty = await several(() => start(["-e", emptyServer], port, "/", {}));
    const first = await whole();
    await stop(first.process, "SIGINT");
    const later: Start[] = [];
    const stops: number[] = [];
    for (let count = 0; count < starts; count += 1) {
      const started = await whole();
      later.push(started);
      stops.push(await stop(started.process, "SIGINT"));
    }
    const killed = await whole();
    await stop(killed.process, "SIGKILL");
    const afterKill = await whole();
    await stop(afterKill.process, "SIGINT");

    const baseline = median(empty.map(({ ready }) => ready));
    const row = (what: string, value: number) => ({
      what,
      value: milliseconds(value),
      baseline: milliseconds(baseline),
      ratio: times(value / baseline),
    });
    return {
      title: `Start-up of the whole program (median of ${starts})`,
      baseline: "one empty Node process, until its HTTP server answers",
      rows: [
        row("later start, until everything is ready", median(later.map(({ ready }) => ready))),
        row("later start, slowest", Math.max(...later.map(({ ready }) => ready))),
        row("later start, until the front door answers", median(later.map(({ answers }) => answers))),
        row("first start in a new folder, pages built before", first.ready),
        row("start right after kill -9", afterKill.ready),
        { what: "Ctrl-C until everything has ended", value: milliseconds(median(stops)) },
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function several(once: () => Promise<Start>): Promise<Start[]> {
  const all: Start[] = [];
  for (let count = 0; count < starts; count += 1) {
    const started = await once();
    await stop(started.process, "SIGTERM");
    all.push(started);
  }
  return all;
}

async function start(args: string[], port: number, path: string, environment: Record<string, string>): Promise<Start> {
  const began = performance.now();
  const child = spawn(process.execPath, args, { cwd: home, env: { ...process.env, ...environment, PORT: String(port) }, stdio: "ignore" });
  let answers = 0;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`it ended with exit code ${child.exitCode}`);
    const status = await statusOf(`http://127.0.0.1:${port}${path}`);
    if (status !== null && !answers) answers = performance.now() - began;
    if (status === 200) return { answers, ready: performance.now() - began, process: child };
    await pause(askEveryMs);
  }
}

async function statusOf(url: string): Promise<number | null> {
  try {
    const response = await fetch(url, { headers: { connection: "close" } });
    await response.text();
    return response.status;
  } catch {
    return null;
  }
}

/** Milliseconds until the process has ended. */
async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<number> {
  const began = performance.now();
  child.kill(signal);
  await once(child, "exit");
  return performance.now() - began;
}

const median = (samples: number[]): number => percentile(samples, 0.5);
