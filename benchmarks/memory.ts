import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePorts } from "@colloquy/infra/launch/ports.ts";
import { type Benchmark, sized, times } from "./benchmark.ts";

const home = fileURLToPath(new URL("..", import.meta.url));
const idleMs = sized(75_000, 1_000);
const askEveryMs = 200;
const megabytes = (kilobytes: number): string => `${(kilobytes / 1024).toFixed(0)} MB`;

/** Memory of the whole program while nobody uses it: the proportional set size (Pss) of each process, which shares out what several use. */
export async function run(): Promise<Benchmark> {
  const folder = mkdtempSync(join(tmpdir(), "colloquy-memory-"));
  const [port = 0] = await freePorts(1);
  // A copy of Node.js, so that no other process shares its pages.
  const node = join(folder, "node");
  copyFileSync(process.execPath, node);
  const begin = (args: string[]): ChildProcess =>
    spawn(node, args, {
      cwd: home,
      env: { ...process.env, DATA_DIR: join(folder, "data"), PORT: String(port), EVENTSTORE_PORT: "0" },
      stdio: "ignore",
    });
  try {
    const empty = begin(["-e", "setInterval(() => {}, 1e6)"]);
    await pause(1_000);
    const baseline = pssOf(empty.pid ?? 0);
    await stop(empty);
    // The first start publishes the courses, and compiles what later starts find compiled.
    const first = begin(["infra/start.js"]);
    await ready(first, port);
    await pause(sized(20_000, 0));
    await stop(first);
    const program = begin(["infra/start.js"]);
    await ready(program, port);
    await pause(idleMs);
    const processes = treeOf(program.pid ?? 0).map((pid) => ({ name: nameOf(pid), pss: pssOf(pid) }));
    const whole = processes.reduce((sum, { pss }) => sum + pss, 0);
    await stop(program);
    const row = (what: string, pss: number) => ({
      what,
      value: megabytes(pss),
      baseline: megabytes(baseline),
      ratio: times(pss / baseline),
    });
    return {
      title: `Memory of the idle program, ${idleMs / 1000} s after its start`,
      baseline: "one empty Node process",
      rows: [row("all processes", whole), ...processes.map(({ name, pss }) => row(`\`${name}\``, pss))],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function ready(program: ChildProcess, port: number): Promise<void> {
  for (;;) {
    if (program.exitCode !== null) throw new Error(`it ended with exit code ${program.exitCode}`);
    const response = await fetch(`http://127.0.0.1:${port}/readyz`, { headers: { connection: "close" } }).catch(() => null);
    await response?.text();
    if (response?.ok) return;
    await pause(askEveryMs);
  }
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill("SIGINT");
  await once(child, "exit");
}

/** A process and all that it started. */
function treeOf(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(treeOf)];
}

/** In kB. */
const pssOf = (pid: number): number => Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1]);

/** The file that a process runs. */
function nameOf(pid: number): string {
  const file = readFileSync(`/proc/${pid}/cmdline`, "utf8")
    .split("\0")
    .find((part) => /\.[jt]s$/.test(part));
  return file ? relative(home, resolve(home, file)) : `process ${pid}`;
}
