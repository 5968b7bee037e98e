import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const home = fileURLToPath(new URL("../..", import.meta.url));
const clock = fileURLToPath(new URL("clock.ts", import.meta.url));
/** Delay before a process that ended while starting is started again, as a supervisor does. */
const restartAfterMs = 300;
const startTimeoutMs = 90_000;
const keptLogCharacters = 6_000;

/** One process of the program. It keeps its port when it is started again. */
export interface ManagedProcess {
  name: string;
  address(): string;
  /** Resolves when it serves. @throws when it does not start in time */
  start(): Promise<void>;
  /** SIGKILL; resolves when it has ended. */
  kill(): Promise<void>;
  /** SIGTERM; its exit code and how long it took, in milliseconds. */
  stop(): Promise<{ code: number | null; ms: number }>;
  /** Sets its clock ahead of the machine's by milliseconds; negative: behind. */
  shiftClock(ms: number): void;
  /** The end of its log. */
  log(): string;
  /** One line for each time it ended without being told to. It is started again. */
  unexpectedEnds: string[];
}

export interface ProcessOptions {
  name: string;
  /** Its entry file, from the root of the project. */
  file: string;
  /** The variable for its port. */
  portVariable: string;
  /** Working folder; also its DATA_DIR unless `environment` names another. */
  folder: string;
  environment: Record<string, string>;
}

export function managedProcess({ name, file, portVariable, folder, environment }: ProcessOptions): ManagedProcess {
  mkdirSync(folder, { recursive: true });
  const clockFile = join(folder, `clock-of-${name.replaceAll(" ", "-")}`);
  let child: ChildProcess | null = null;
  let port = Number(environment[portVariable] ?? 0);
  let isWanted = false;
  let log = "";

  /** @returns false when the process ended before it served */
  async function startOnce(): Promise<boolean> {
    const started = spawn(process.execPath, [join(home, file)], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        NODE_ENV: "development",
        // Whatever runs on the developer's machine.
        LOCAL_MODELS: "off",
        LOG_LEVEL: "warn",
        DATA_DIR: folder,
        CLOCK_FILE: clockFile,
        NODE_OPTIONS: `--import=${clock}`,
        ...environment,
        [portVariable]: String(port),
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child = started;
    started.stderr.on("data", (bytes: Buffer) => (log = (log + bytes.toString()).slice(-keptLogCharacters)));
    const exited = once(started, "exit");
    const [line] = (await Promise.race([once(createInterface(started.stdout), "line"), exited.then(() => [null])])) as [string | null];
    if (line === null) return false;
    port = (JSON.parse(line) as { port: number }).port;
    void exited.then(async ([code, signal]) => {
      if (!isWanted || child !== started) return;
      managed.unexpectedEnds.push(`${name} ended by itself (${code ?? signal}): ${log.slice(-600)}`);
      await managed.start();
    });
    return true;
  }

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    isWanted = false;
    const running = child;
    if (!running || running.exitCode !== null || running.signalCode !== null) return null;
    const exited = once(running, "exit");
    running.kill(signal);
    await exited;
    return running.exitCode;
  }

  const managed: ManagedProcess = {
    name,
    unexpectedEnds: [],
    address: () => `http://127.0.0.1:${port}`,
    log: () => log,
    async start() {
      isWanted = true;
      for (const until = Date.now() + startTimeoutMs; isWanted && !(await startOnce()); await pause(restartAfterMs))
        if (Date.now() > until) throw new Error(`${name} does not start: ${log}`);
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
  return managed;
}

/** A render worker; it serves no port, and keeps its folder when it is started again. */
export interface RenderWorker {
  /** The lines of its log. */
  log: string[];
  start(): void;
  /** SIGKILL; resolves when it has ended. */
  kill(): Promise<void>;
}

/** Starts a render worker. @param url the command API as the worker reaches it */
export function startRenderWorker({ url, token, folder }: { url: string; token: string; folder: string }): RenderWorker {
  const log: string[] = [];
  let child: ChildProcess | null = null;
  const worker: RenderWorker = {
    log,
    start() {
      const { PATH = "" } = process.env;
      const env = { PATH, RENDER_API_URL: url, RENDER_WORKER_TOKEN: token, RENDER_FOLDER: folder, RENDER_WORKERS: "1" };
      child = spawn(process.execPath, [join(home, "render-service/main.ts")], { env, stdio: ["ignore", "ignore", "pipe"] });
      child.stderr?.setEncoding("utf8").on("data", (text: string) => log.push(...text.split("\n").filter(Boolean)));
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
  worker.start();
  return worker;
}
