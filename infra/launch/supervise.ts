import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { Backoff } from "../backoff.ts";
import type { LogFile } from "./log-file.ts";

export interface Supervision {
  /** The main to run, absolute. */
  file: string;
  args?: string[];
  cwd: string;
  env: Record<string, string | undefined>;
  log: LogFile;
  /** Each line the process writes to standard error. */
  onLine(line: string): void;
  /** It serves. */
  onReady(port: number): void;
  /** It ended by itself. `again`: milliseconds until it is restarted; null if it is not restarted. */
  onEnd(end: { how: string; code: number | null; failures: number; lastLines: string[]; again: number | null }): void;
  /** Exit codes after which a restart makes no sense. Default: none. */
  isPermanentExit?: (code: number | null) => boolean;
}

export interface Supervised {
  /** The port it answers on, null while it does not. */
  port(): number | null;
  pid(): number | null;
  /** Asks it to stop and kills it after `graceMs`. */
  stop(graceMs: number): Promise<void>;
  /** Ends it at once. */
  kill(): void;
}

const restartPauses = { firstMs: 250, longestMs: 10_000 };
/** After serving for this time the backoff starts again. */
const healthyMs = 30_000;
const rememberedLines = 12;
/** Flags of Node.js for every part. */
const flags = [
  // `node:sqlite`.
  "--disable-warning=ExperimentalWarning",
  // For release-memory.ts. A later change of V8's flags would invalidate the compile cache.
  "--expose-gc",
  // `fetch` parses HTTP in WebAssembly. Its optimisation, after some dozen requests, would leave 8 MB in each process.
  "--wasm-tiering-budget=2000000000",
];

/**
 * For glibc's allocator: two pools instead of eight per processor, and memory that is returned from 128 KiB on. V8's own threads leave more
 * than half of the memory of a small process in those pools otherwise.
 */
const memory = { MALLOC_ARENA_MAX: "2", MALLOC_TRIM_THRESHOLD_: "131072" };

/** Keeps one process running: starts it, reports when it serves, and restarts it with growing pauses when it ends by itself. */
export function supervise(part: Supervision): Supervised {
  let child: ChildProcess | null = null;
  let port: number | null = null;
  const backoff = new Backoff(restartPauses);
  let readySince = 0;
  let pause: NodeJS.Timeout | null = null;
  let stopping = false;

  function start(): void {
    const lastLines: string[] = [];
    pause = null;
    readySince = 0;
    // Its own process group, so that Ctrl-C in a terminal reaches the launcher alone, which stops things in order.
    // The IPC channel carries nothing: it closes when the launcher ends (process/serve-as-child.ts).
    const started = spawn(process.execPath, [...flags, part.file, ...(part.args ?? [])], {
      cwd: part.cwd,
      env: { ...memory, ...part.env },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      detached: true,
    });
    child = started;
    eachLine(started.stdout, (line) => {
      const ready = readyPort(line);
      if (ready === null) return part.log.write(line);
      port = ready;
      readySince = Date.now();
      part.onReady(ready);
    });
    eachLine(started.stderr, (line) => {
      lastLines.push(line);
      if (lastLines.length > rememberedLines) lastLines.shift();
      part.log.write(line);
      part.onLine(line);
    });
    started.once("error", (error) => lastLines.push(error.message));
    // "close" comes after the last line has been read, "exit" before.
    started.once("close", (code, signal) => ended(code, signal, lastLines));
  }

  function ended(code: number | null, signal: NodeJS.Signals | null, lastLines: string[]): void {
    child = null;
    port = null;
    if (stopping) return;
    if (readySince && Date.now() - readySince > healthyMs) backoff.reset();
    const pauseMs = backoff.nextMs();
    const again = part.isPermanentExit?.(code) ? null : pauseMs;
    if (again !== null) pause = setTimeout(start, again);
    part.onEnd({ how: signal ? `signal ${signal}` : `exit code ${code}`, code, failures: backoff.failures, lastLines, again });
  }

  start();
  return {
    port: () => port,
    pid: () => child?.pid ?? null,
    kill() {
      stopping = true;
      if (pause) clearTimeout(pause);
      child?.kill("SIGKILL");
    },
    stop(graceMs) {
      stopping = true;
      if (pause) clearTimeout(pause);
      const running = child;
      if (!running) return Promise.resolve();
      return new Promise((resolve) => {
        const impatience = setTimeout(() => running.kill("SIGKILL"), graceMs);
        running.once("close", () => {
          clearTimeout(impatience);
          resolve();
        });
        running.kill("SIGTERM");
      });
    },
  };
}

function eachLine(stream: Readable | null, onLine: (line: string) => void): void {
  if (stream) createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on("line", onLine);
}

/** The port in a ready line (`{"ready":true,"port":n}`), or null for any other line. */
function readyPort(line: string): number | null {
  if (!line.startsWith('{"ready":true')) return null;
  try {
    const told: unknown = JSON.parse(line);
    return typeof told === "object" && told !== null && "port" in told && typeof told.port === "number" ? told.port : null;
  } catch {
    return null;
  }
}
