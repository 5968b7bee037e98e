import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { freePorts } from "../../launch/ports.ts";
import { programUrl } from "./security/address.ts";

/** The event store as a process of its own, for tests and measurements: the real thing, which can be killed. */
export interface SpawnedEventStore {
  url: string;
  port: number;
  process: ChildProcess;
  /** The end of what it logged. */
  said(): string;
  /** Ends it as `kill -9` would, and waits until it is gone. */
  kill(): Promise<void>;
  /** Asks it to stop (SIGTERM); resolves with its exit code. */
  stop(): Promise<number | null>;
}

const main = fileURLToPath(new URL("main.ts", import.meta.url));

/** At a port that is still free when it is started again there. @throws Error with what it said, when it ends before it serves. */
export async function spawnEventStore(dataDir: string, given = 0, { tls = false } = {}): Promise<SpawnedEventStore> {
  const [port] = given ? [given] : await freePorts(1);
  const child = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      EVENTSTORE_PORT: String(port),
      EVENTSTORE_EMBEDDED_INSECURE: tls ? "off" : "on",
      LOG_LEVEL: "warn",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (bytes: Buffer) => {
    said = (said + bytes.toString()).slice(-4_000);
  });
  const exited = once(child, "exit");
  const lines = createInterface(child.stdout);
  const [line] = (await Promise.race([once(lines, "line"), exited.then(() => [null])])) as [string | null];
  if (line === null) throw new Error(`The event store ended with ${child.exitCode}: ${said.trim()}`);
  const ready = JSON.parse(line) as { port: number };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await exited;
  };
  return {
    url: programUrl(dataDir, { port: ready.port, tls }),
    port: ready.port,
    process: child,
    said: () => said,
    kill: () => end("SIGKILL"),
    async stop() {
      await end("SIGTERM");
      return child.exitCode;
    },
  };
}
