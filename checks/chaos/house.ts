import { randomBytes, randomInt } from "node:crypto";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startTemporaryCluster } from "@colloquy/infra/database/temporary-cluster.ts";
import { type EventStore, openEventStore } from "@colloquy/infra/event-store/client.ts";
import { startTestBroker, testBrokerHere } from "@colloquy/infra/kafka/test-broker/start.ts";
import { unreadyParts } from "@colloquy/infra/launch/readiness.ts";
import { openLedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import { type S3Double, startS3Double } from "@colloquy/infra/object-store/s3-double.ts";
import { readyResponse } from "@colloquy/schemas/health.ts";
import { ensureBuilt } from "@colloquy/ui/build.ts";
import { renderWorker } from "../film-faults/worker.ts";
import { type Gate, openGate } from "./gate.ts";
import { client, startIdentityProvider } from "./identity-provider.ts";
import type { Sample } from "./judge.ts";
import { type Process, processOf } from "./processes.ts";

export const outside = ["event store", "database", "Kafka", "object store", "identity provider", "model", "worker"] as const;
export const services = ["command API", "query API", "projections", "relay", "front door"] as const;
export type PartName = (typeof outside)[number] | (typeof services)[number];

/** A part of the program that trouble can be made with. */
export interface Part {
  /** The line to it, where it is one that others are told the address of. */
  gate?: Gate;
  /** As `kill -9`. */
  kill(): Promise<void>;
  /** Resolves when it serves. */
  start(): Promise<void>;
}

/** The whole program as a deployment runs it, each part reached through a line of its own. */
export interface House {
  url: string;
  /** Where people sign in. */
  issuer: string;
  parts: Record<PartName, Part>;
  /** Those of the parts that are processes of ours. */
  processes: Record<"event store" | "model" | (typeof services)[number], Process>;
  /** The event store, past every line. */
  events: EventStore;
  objects: S3Double;
  /** What `/readyz` says at the front door, and what it names as missing. */
  ready(): Promise<Omit<Sample, "at">>;
  /** The variables that a tool needs to reach the same stores, past every line. */
  environment: Record<string, string>;
  close(): Promise<void>;
}

const readyWithinMs = 180_000;
/** A machine with room answers in some milliseconds whether a process lives. */
const starvedMs = 250;

/** @throws when PostgreSQL or Kafka cannot be started here */
export async function openHouse(): Promise<House> {
  await ensureBuilt();
  const jars = await testBrokerHere();
  if (jars === null) throw new Error("There is no Kafka here (Java 17 and Maven).");
  const folder = mkdtempSync(join(tmpdir(), "colloquy-chaos-"));
  const closing: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })];
  const gates: Gate[] = [];
  const gateTo = async (target: () => number): Promise<Gate> => {
    const gate = await openGate(() => ({ port: target() }));
    gates.push(gate);
    closing.push(() => gate.close());
    return gate;
  };
  const close = async (): Promise<void> => {
    for (const end of closing.splice(0).toReversed()) await end();
  };
  const portOf = (address: string): number => Number(new URL(address).port);
  try {
    const port = await quietPort();
    const url = `http://localhost:${port}`;
    const [cluster, objects] = await Promise.all([startTemporaryCluster(), startS3Double()]);
    closing.push(() => cluster.remove());
    closing.push(() => objects.close());
    let kafkaGate: Gate | null = null;
    const broker = await startTestBroker(jars, {}, async (at) => {
      kafkaGate = await gateTo(() => at);
      return kafkaGate.address;
    });
    closing.push(() => broker.remove());
    const [database, objectStore] = [await gateTo(() => portOf(cluster.url)), await gateTo(() => portOf(objects.endpoint))];
    const identityGate = await gateTo(() => identity.port);
    const issuer = `http://${identityGate.address}`;
    const identity = await startIdentityProvider(issuer, `${url}/auth/callback`);
    closing.push(() => identity.kill());

    openLedgerSigner({ DATA_DIR: join(folder, "made-once") }).keys();
    const ledgerKeys = join(folder, "ledger-keys");
    copyFileSync(join(folder, "made-once/secrets/ledger-keys"), ledgerKeys);

    const made: Process[] = [];
    const of = (name: string, file: string, variable: string, environment: Record<string, string>): Process => {
      const one = processOf({ name, file, variable, folder, environment });
      made.push(one);
      return one;
    };
    closing.push(() => Promise.all(made.map((one) => one.kill())));
    const eventStore = of("event store", "infra/event-store/embedded/main.ts", "EVENTSTORE_PORT", { EVENTSTORE_PORT: "0" });
    const model = of("model", "infra/demo/model/main.ts", "DEMO_MODEL_PORT", { DEMO_MODEL_WORD_MS: "8" });
    await Promise.all([eventStore.start(), model.start()]);
    const storeGate = await gateTo(() => portOf(eventStore.address()));
    const modelGate = await gateTo(() => portOf(model.address()));
    const workerToken = randomBytes(32).toString("hex");
    const stores = { EVENTSTORE_URL: `esdb://${storeGate.address}?tls=false` };
    const kafka = { KAFKA_BROKERS: broker.address, KAFKA_PARTITIONS: "3" };
    const tables = { DATABASE_URL: cluster.url.replace(/:\d+\//, `:${database.port}/`) };
    const bucket = { ...objects.environment, S3_ENDPOINT: `http://${objectStore.address}` };
    const people = {
      SESSION_SECRET: randomBytes(32).toString("hex"),
      ACCOUNT_SECRET: randomBytes(32).toString("hex"),
      LEDGER_KEYS_FILE: ledgerKeys,
      PUBLIC_URL: url,
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: client.id,
      OIDC_CLIENT_SECRET: client.secret,
      DEMO_MODEL: "on",
      DEMO_MODEL_URL: `http://${modelGate.address}/v1`,
    };
    const projections = of("projections", "projections/main.ts", "PROJECTIONS_PORT", { ...stores, ...kafka, ...tables });
    const relay = of("relay", "infra/kafka/relay/main.ts", "RELAY_PORT", { ...stores, ...kafka });
    const own = { ...stores, ...tables, ...bucket, ...people };
    const commandApi = of("command API", "command-api/main.ts", "COMMAND_API_PORT", { ...own, RENDER_WORKER_TOKEN: workerToken });
    await Promise.all([projections, relay, commandApi].map((one) => one.start()));
    const inner = { COMMAND_API_URL: commandApi.address(), PROJECTIONS_URL: projections.address(), RELAY_URL: relay.address() };
    const queryApi = of("query API", "query-api/main.ts", "QUERY_API_PORT", { ...own, ...kafka, ...inner });
    await queryApi.start();
    const frontDoor = of("front door", "infra/http/main.ts", "PORT", {
      PORT: String(port),
      PUBLIC_URL: url,
      COMMAND_API_URL: commandApi.address(),
      QUERY_API_URL: queryApi.address(),
      // All learners come from one address here.
      ADDRESS_REQUESTS_PER_MINUTE: "0",
    });
    await frontDoor.start();
    const workerGate = await gateTo(() => portOf(commandApi.address()));
    const worker = renderWorker({ url: `http://${workerGate.address}`, token: workerToken, folder: join(folder, "render") });
    closing.push(() => worker.kill());
    const events = openEventStore(stores.EVENTSTORE_URL.replace(storeGate.address, new URL(eventStore.address()).host));
    closing.push(() => events.close());

    const saysReady = async (): Promise<Pick<Sample, "status" | "why">> => {
      try {
        const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) });
        const body: unknown = await response.json();
        const told = readyResponse.safeParse(body).data;
        return { status: response.status, why: told ? unreadyParts(told) : [`front door: ${(body as { detail?: string }).detail}`] };
      } catch (error) {
        return { status: 0, why: [`no answer: ${String((error as Error).cause ?? error)}`] };
      }
    };
    const ready: House["ready"] = async () => {
      const asked = performance.now();
      // That the process lives needs no part of the program.
      const alive = fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5_000) })
        .then((response) => response.text())
        .catch(() => undefined)
        .then(() => performance.now() - asked > starvedMs);
      return { ...(await saysReady()), starved: await alive };
    };
    for (const until = Date.now() + readyWithinMs; (await ready()).status !== 200; await pause(200))
      if (Date.now() > until) throw new Error(`not ready: ${JSON.stringify(await ready())}\n${made.map((one) => one.said()).join("\n")}`);

    return {
      url,
      issuer,
      events,
      objects,
      ready,
      close,
      parts: {
        "event store": { gate: storeGate, kill: eventStore.kill, start: eventStore.start },
        database: { gate: database, kill: cluster.kill, start: cluster.start },
        Kafka: { gate: kafkaGate as unknown as Gate, kill: broker.kill, start: broker.start },
        "object store": { gate: objectStore, kill: objects.kill, start: objects.start },
        "identity provider": { gate: identityGate, kill: identity.kill, start: identity.start },
        model: { gate: modelGate, kill: model.kill, start: model.start },
        worker: { gate: workerGate, kill: worker.kill, start: async () => worker.start() },
        "command API": commandApi,
        "query API": queryApi,
        projections,
        relay,
        "front door": frontDoor,
      },
      processes: {
        "event store": eventStore,
        model,
        projections,
        relay,
        "command API": commandApi,
        "query API": queryApi,
        "front door": frontDoor,
      },
      environment: { DATABASE_URL: cluster.url, EVENTSTORE_URL: `esdb://${new URL(eventStore.address()).host}?tls=false` },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A free port that systems give to nobody who asks for any: it is in everybody's links long before it is taken. */
async function quietPort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000);
    const server = createServer().listen(port, "127.0.0.1");
    const free = await Promise.race([once(server, "listening").then(() => true), once(server, "error").then(() => false)]).catch(
      () => false,
    );
    if (!free) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
