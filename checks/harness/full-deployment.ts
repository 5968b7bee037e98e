import { randomBytes, randomInt } from "node:crypto";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startTemporaryCluster } from "@colloquy/infra/database/temporary-cluster.fixture.ts";
import { type EventStore, openEventStore } from "@colloquy/infra/event-store/client.ts";
import { programUrl } from "@colloquy/infra/event-store/embedded/security/address.ts";
import { startTestBroker, testBrokerHere } from "@colloquy/infra/kafka/test-broker/start.ts";
import { unreadyParts } from "@colloquy/infra/launch/readiness.ts";
import { openLedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import { type S3Double, startS3Double } from "@colloquy/infra/object-store/s3-double.fixture.ts";
import { readyResponse } from "@colloquy/schemas/health.ts";
import { ensureBuilt } from "@colloquy/ui/build.ts";
import { client, startIdentityProvider } from "./identity-provider.ts";
import { type ManagedProcess, managedProcess, startRenderWorker } from "./process.ts";
import { openTcpProxy, type TcpProxy } from "./tcp-proxy.ts";

export const outside = ["event store", "database", "Kafka", "object store", "identity provider", "model", "worker"] as const;
export const services = ["command API", "query API", "projections", "relay", "front door"] as const;
export type PartName = (typeof outside)[number] | (typeof services)[number];

/** What `/readyz` of the front door said. */
export interface Readiness {
  /** 0 when there was no answer. */
  status: number;
  /** The parts that are not ready. */
  why: string[];
  /** Whether this machine was too busy for the answer to mean anything. */
  starved: boolean;
}

/** A part of the program that can fail. */
export interface Part {
  /** The proxy in front of it, for parts that others connect to by a fixed address. */
  proxy?: TcpProxy;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Resolves when it serves. */
  start(): Promise<void>;
}

/** The whole program with PostgreSQL, Kafka, S3 and OpenID Connect, each part behind a proxy that can fail. */
export interface FullDeployment {
  url: string;
  /** Where people sign in. */
  issuer: string;
  parts: Record<PartName, Part>;
  processes: Record<"event store" | "model" | (typeof services)[number], ManagedProcess>;
  /** A client of the event store that bypasses the proxies. */
  events: EventStore;
  objects: S3Double;
  ready(): Promise<Readiness>;
  /** Environment for a tool to reach the same stores, bypassing the proxies. */
  environment: Record<string, string>;
  close(): Promise<void>;
}

const readyWithinMs = 180_000;
/** A machine with room answers in some milliseconds whether a process lives. */
const starvedMs = 250;

/** @throws when PostgreSQL or Kafka cannot be started here */
export async function startFullDeployment(): Promise<FullDeployment> {
  await ensureBuilt();
  const jars = await testBrokerHere();
  if (jars === null) throw new Error("There is no Kafka here (Java 17 and Maven).");
  const folder = mkdtempSync(join(tmpdir(), "colloquy-full-deployment-"));
  const closing: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })];
  const proxyTo = async (target: () => number): Promise<TcpProxy> => {
    const proxy = await openTcpProxy(() => ({ port: target() }));
    closing.push(() => proxy.close());
    return proxy;
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
    let kafkaProxy: TcpProxy | null = null;
    const broker = await startTestBroker(jars, {}, async (at) => {
      kafkaProxy = await proxyTo(() => at);
      return kafkaProxy.address;
    });
    closing.push(() => broker.remove());
    const [database, objectStore] = [await proxyTo(() => portOf(cluster.url)), await proxyTo(() => portOf(objects.endpoint))];
    const identityProxy = await proxyTo(() => identity.port);
    const issuer = `http://${identityProxy.address}`;
    const identity = await startIdentityProvider(issuer, `${url}/auth/callback`);
    closing.push(() => identity.kill());

    openLedgerSigner({ DATA_DIR: join(folder, "made-once") }).keys();
    const ledgerKeys = join(folder, "ledger-keys");
    copyFileSync(join(folder, "made-once/secrets/ledger-keys"), ledgerKeys);

    const made: ManagedProcess[] = [];
    const of = (name: string, file: string, variable: string, environment: Record<string, string>): ManagedProcess => {
      const one = managedProcess({ name, file, portVariable: variable, folder: join(folder, name.replaceAll(" ", "-")), environment });
      made.push(one);
      return one;
    };
    closing.push(() => Promise.all(made.map((one) => one.kill())));
    const eventStore = of("event store", "infra/event-store/embedded/main.ts", "EVENTSTORE_PORT", { EVENTSTORE_PORT: "0" });
    const model = of("model", "infra/demo/model/main.ts", "DEMO_MODEL_PORT", { DEMO_MODEL_WORD_MS: "8" });
    await Promise.all([eventStore.start(), model.start()]);
    const storeProxy = await proxyTo(() => portOf(eventStore.address()));
    const modelProxy = await proxyTo(() => portOf(model.address()));
    const workerToken = randomBytes(32).toString("hex");
    const eventStoreAt = (port: number): string => programUrl(join(folder, "event-store"), { port, tls: true });
    const stores = { EVENTSTORE_URL: eventStoreAt(storeProxy.port) };
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
      DEMO_MODEL_URL: `http://${modelProxy.address}/v1`,
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
    const workerProxy = await proxyTo(() => portOf(commandApi.address()));
    const worker = startRenderWorker({ url: `http://${workerProxy.address}`, token: workerToken, folder: join(folder, "render") });
    closing.push(() => worker.kill());
    const events = openEventStore(eventStoreAt(portOf(eventStore.address())));
    closing.push(() => events.close());

    const saysReady = async (): Promise<Pick<Readiness, "status" | "why">> => {
      try {
        const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) });
        const body: unknown = await response.json();
        const told = readyResponse.safeParse(body).data;
        return { status: response.status, why: told ? unreadyParts(told) : [`front door: ${(body as { detail?: string }).detail}`] };
      } catch (error) {
        return { status: 0, why: [`no answer: ${String((error as Error).cause ?? error)}`] };
      }
    };
    const ready: FullDeployment["ready"] = async () => {
      const asked = performance.now();
      // That the process lives needs no part of the program.
      const alive = fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5_000) })
        .then((response) => response.text())
        .catch(() => undefined)
        .then(() => performance.now() - asked > starvedMs);
      return { ...(await saysReady()), starved: await alive };
    };
    for (const until = Date.now() + readyWithinMs; (await ready()).status !== 200; await pause(200))
      if (Date.now() > until) throw new Error(`not ready: ${JSON.stringify(await ready())}\n${made.map((one) => one.log()).join("\n")}`);

    return {
      url,
      issuer,
      events,
      objects,
      ready,
      close,
      parts: {
        "event store": { proxy: storeProxy, kill: eventStore.kill, start: eventStore.start },
        database: { proxy: database, kill: cluster.kill, start: cluster.start },
        Kafka: { proxy: kafkaProxy as unknown as TcpProxy, kill: broker.kill, start: broker.start },
        "object store": { proxy: objectStore, kill: objects.kill, start: objects.start },
        "identity provider": { proxy: identityProxy, kill: identity.kill, start: identity.start },
        model: { proxy: modelProxy, kill: model.kill, start: model.start },
        worker: { proxy: workerProxy, kill: worker.kill, start: async () => worker.start() },
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
      environment: { DATABASE_URL: cluster.url, EVENTSTORE_URL: eventStoreAt(portOf(eventStore.address())) },
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
