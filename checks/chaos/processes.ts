import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const home = fileURLToPath(new URL("../..", import.meta.url));
const clock = fileURLToPath(new URL("../film-faults/clock.ts", import.meta.url));
/** What ends at its start is started again after so long, as a supervisor does. */
const againMs = 300;
const startsWithinMs = 90_000;

/** A process of the program that is started, killed and told to stop, at the same port each time. */
export interface Process {
  name: string;
  address(): string;
  start(): Promise<void>;
  /** `kill -9`. */
  kill(): Promise<void>;
  /** SIGTERM: its exit code, and how long it took in milliseconds. */
  stop(): Promise<{ code: number | null; ms: number }>;
  /** Sets its clock that far ahead of the machine's; negative: behind. Milliseconds. */
  shiftClock(ms: number): void;
  /** The end of what it logged. */
  said(): string;
  /** Times it ended without being told to. */
  ownEnds: string[];
}

export function processOf(options: {
  name: string;
  file: string;
  /** The variable that says its port. */
  variable: string;
  folder: string;
  environment: Record<string, string>;
}): Process {
  const { name, file, variable, environment } = options;
  const dataDir = join(options.folder, name.replaceAll(" ", "-"));
  mkdirSync(dataDir, { recursive: true });
  const clockFile = join(dataDir, "clock");
  let child: ChildProcess | null = null;
  let port = Number(environment[variable] ?? 0);
  let wanted = false;
  let said = "";

  async function begin(): Promise<boolean> {
    const begun = spawn(process.execPath, [join(home, file)], {
      cwd: dataDir,
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        NODE_ENV: "development",
        LOG_LEVEL: "warn",
        DATA_DIR: dataDir,
        CLOCK_FILE: clockFile,
        NODE_OPTIONS: `--import=${clock}`,
        ...environment,
        [variable]: String(port),
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child = begun;
    begun.stderr.on("data", (bytes: Buffer) => (said = (said + bytes.toString()).slice(-6_000)));
    const exited = once(begun, "exit");
    const [line] = (await Promise.race([once(createInterface(begun.stdout), "line"), exited.then(() => [null])])) as [string | null];
    if (line === null) return false;
    port = (JSON.parse(line) as { port: number }).port;
    void exited.then(async ([code, signal]) => {
      if (!wanted || child !== begun) return;
      process_.ownEnds.push(`${name} ended by itself (${code ?? signal}): ${said.slice(-600)}`);
      await process_.start();
    });
    return true;
  }
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    wanted = false;
    const running = child;
    if (!running || running.exitCode !== null || running.signalCode !== null) return null;
    const gone = once(running, "exit");
    running.kill(signal);
    await gone;
    return running.exitCode;
  };
  const process_: Process = {
    name,
    ownEnds: [],
    address: () => `http://127.0.0.1:${port}`,
    said: () => said,
    async start() {
      wanted = true;
      for (const until = Date.now() + startsWithinMs; wanted && !(await begin()); await pause(againMs))
        if (Date.now() > until) throw new Error(`${name} does not start: ${said}`);
    },
    async kill() {
      await end("SIGKILL");
    },
    async stop() {
      const began = performance.now();
      return { code: await end("SIGTERM"), ms: performance.now() - began };
    },
    shiftClock: (ms) => writeFileSync(clockFile, String(ms)),
  };
  return process_;
}
