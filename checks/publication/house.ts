import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { readConfig } from "@colloquy/infra/config.ts";
import { type EventStore, openEventStore } from "@colloquy/infra/event-store/client.ts";
import { type SpawnedEventStore, spawnEventStore } from "@colloquy/infra/event-store/embedded/spawn-server.ts";
import { sessions } from "@colloquy/infra/identity/session.ts";
import { freePorts } from "@colloquy/infra/launch/ports.ts";
import { type S3Double, startS3Double } from "@colloquy/infra/object-store/s3-double.ts";
import { ensureBuilt } from "@colloquy/ui/build.ts";
import type { Response } from "express";

const home = fileURLToPath(new URL("../..", import.meta.url));

/** A process of the program that can be killed and started again at the same port. */
export interface Part {
  url(): string;
  /** As `kill -9`; resolves when it is gone. */
  kill(): Promise<void>;
  /** Starts it; resolves when it serves. */
  start(): Promise<void>;
}

/** The processes of the program without its launcher, over an S3 that this process can make trouble in. */
export interface House {
  objects: S3Double;
  events: EventStore;
  store: { kill(): Promise<void>; start(): Promise<void> };
  /** Command APIs, as on machines of their own. */
  machines: Part[];
  reader: Part;
  /** Where they keep what is not in the S3. */
  dataDir: string;
  /** A cookie of an owner's session. */
  owner(number: number): Promise<string>;
  close(): Promise<void>;
}

/** @param options `more`: variables for all of its processes; `prepare`: done to its data folder before they begin */
export async function openHouse(
  machines: number,
  { more = {}, prepare }: { more?: Record<string, string>; prepare?: (dataDir: string) => void } = {},
): Promise<House> {
  // The query service wants to know what its pages load.
  await ensureBuilt();
  const dataDir = mkdtempSync(join(tmpdir(), "colloquy-publication-"));
  prepare?.(dataDir);
  const objects = await startS3Double();
  let store: SpawnedEventStore = await spawnEventStore(dataDir);
  const { port } = store;
  const environment = {
    ...objects.environment,
    NODE_ENV: "development",
    DATA_DIR: dataDir,
    EVENTSTORE_URL: store.url,
    LOG_LEVEL: "silent",
    DEMO_COURSES: "off",
    DEMO_MODEL: "off",
    KAFKA_BROKERS: "",
    DATABASE_URL: "",
    SESSION_SECRET: randomBytes(32).toString("hex"),
    ...more,
  };
  const part = (file: string, variable: string): Part => partOf(file, variable, environment);
  const projections = part("projections/main.ts", "PROJECTIONS_PORT");
  const reader = part("query-api/main.ts", "QUERY_API_PORT");
  const commands = Array.from({ length: machines }, () => part("command-api/main.ts", "COMMAND_API_PORT"));
  await projections.start();
  await Promise.all([reader, ...commands].map((one) => one.start()));
  const events = openEventStore(store.url);
  const config = readConfig(environment);
  return {
    objects,
    events,
    store: {
      kill: () => store.kill(),
      async start() {
        store = await spawnEventStore(dataDir, port);
      },
    },
    machines: commands,
    reader,
    dataDir,
    async owner(number) {
      let cookie = "";
      const response = { cookie: (name: string, value: string) => (cookie = `${name}=${value}`) } as unknown as Response;
      await sessions(config).issue(response, { accountId: ownerAccount(number), name: "Owner", roles: ["owner"] });
      return cookie;
    },
    async close() {
      await Promise.all([projections, reader, ...commands].map((one) => one.kill()));
      await events.close();
      await store.kill();
      await objects.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export const ownerAccount = (number: number): string => `acc_owner${String(number).padStart(4, "0")}`;

function partOf(file: string, variable: string, environment: Record<string, string>): Part {
  let child: ChildProcess | null = null;
  let port = 0;
  return {
    url: () => `http://127.0.0.1:${port}`,
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
    async start() {
      // Still free when it is started again there.
      if (port === 0) [port = 0] = await freePorts(1);
      const started = spawn(process.execPath, [join(home, file)], {
        cwd: home,
        env: { ...process.env, ...environment, [variable]: String(port) },
        stdio: ["ignore", "pipe", "inherit"],
      });
      child = started;
      const ended = once(started, "exit").then(() => [null]);
      const [line] = (await Promise.race([once(createInterface(started.stdout), "line"), ended])) as [string | null];
      if (line === null) throw new Error(`${file} ended with ${started.exitCode}`);
      port = (JSON.parse(line) as { port: number }).port;
    },
  };
}
