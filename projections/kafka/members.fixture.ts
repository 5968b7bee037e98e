import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { TemporaryDatabase } from "@colloquy/infra/database/temporary.fixture.ts";
import type { ProjectionStatus } from "../runner.ts";

const main = fileURLToPath(new URL("../main.ts", import.meta.url));
const tool = fileURLToPath(new URL("../cli.ts", import.meta.url));

/** A process of the projections: a member of their consumer group. */
export interface Member {
  child: ChildProcess;
  status(): Promise<ProjectionStatus[]>;
  /** By SIGTERM it leaves the group; by SIGKILL it is gone. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export interface Members {
  start(): Promise<Member>;
  /** Runs `npm run projections`; resolves with its exit code and output. */
  tool(...given: string[]): Promise<{ code: number; output: string }>;
  close(): Promise<void>;
}

/** Real processes that share a group, an event store and a database. */
export function members(options: { eventStoreUrl: string; broker: string; prefix: string; place: TemporaryDatabase }): Members {
  const { eventStoreUrl, broker, prefix, place } = options;
  const env = {
    ...process.env,
    NODE_ENV: "test",
    LOG_LEVEL: "silent",
    PROJECTIONS_PORT: "0",
    EVENTSTORE_URL: eventStoreUrl,
    KAFKA_BROKERS: broker,
    KAFKA_TOPIC_PREFIX: prefix,
    KAFKA_PARTITIONS: "3",
    ...place.config,
  };
  const children = new Set<ChildProcess>();
  const begin = (file: string, given: string[]): ChildProcess => {
    const child = spawn(process.execPath, [file, ...given], {
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    children.add(child);
    child.once("exit", () => children.delete(child));
    return child;
  };
  const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const ended = once(child, "exit");
    child.kill(signal);
    return (await ended)[0] as number | null;
  };
  return {
    async start() {
      const child = begin(main, []);
      const [line] = (await once(createInterface({ input: child.stdout ?? process.stdin }), "line")) as [string];
      const { port } = JSON.parse(line) as { port: number };
      return {
        child,
        end: (signal) => end(child, signal),
        async status() {
          const response = await fetch(`http://127.0.0.1:${port}/status`);
          return ((await response.json()) as { projections: ProjectionStatus[] }).projections;
        },
      };
    },
    async tool(...given) {
      const child = begin(tool, given);
      let output = "";
      for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => (output += chunk.toString()));
      const [code] = (await once(child, "close")) as [number];
      return { code, output };
    },
    close: async () => void (await Promise.all([...children].map((child) => end(child, "SIGKILL")))),
  };
}
