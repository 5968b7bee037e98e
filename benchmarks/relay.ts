import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { type EventStore, type NewEvent, openEventStore } from "@colloquy/infra/event-store/client.ts";
import { spawnEventStore } from "@colloquy/infra/event-store/embedded/spawn-server.ts";
import { openKafka } from "@colloquy/infra/kafka/client.ts";
import { runRelay } from "@colloquy/infra/kafka/relay/relay.ts";
import type { KafkaSettings } from "@colloquy/infra/kafka/settings.ts";
import { startTestBroker, testBrokerHere } from "@colloquy/infra/kafka/test-broker/start.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { type Benchmark, milliseconds, percentile, times } from "./benchmark.ts";

const events = 100_000;
const batch = 200;
/** Relayed in runs of their own, each to topics of its own; the first also warms up the broker. */
const runs = 3;
const live = 200;

/** The relay against a real Kafka on the same machine; beside it the same events read from $all by the same client, and no more. */
export async function run(): Promise<Benchmark> {
  const jars = await testBrokerHere();
  const title = `Relay to Kafka (${events.toLocaleString("en")} events of about 330 bytes)`;
  const baseline = "reading the same events from $all in the same process, without a broker";
  if (!jars) return { title, baseline, rows: [{ what: "not measured: no Java or no Maven", value: "-" }] };
  const folder = mkdtempSync(join(tmpdir(), "colloquy-relay-"));
  const server = await spawnEventStore(folder);
  const store = openEventStore(server.url);
  const broker = await startTestBroker(jars);
  try {
    for (let number = 0; number < events; number += batch)
      await store.append(
        `conversation-${number}`,
        Array.from({ length: batch }, (_, index) => event(number + index)),
        "none",
      );
    const read: Rate[] = [];
    const relayed: Rate[] = [];
    let arrival: number[] = [];
    for (let round = 0; round < runs; round += 1) {
      read.push(await readAll(store));
      const result = await relayAll(store, { ...settingsFor(broker.address), prefix: `bench-${round}` });
      relayed.push(result.rate);
      arrival = result.arrival;
    }
    const best = (rates: readonly Rate[], of: (rate: Rate) => number): number => Math.max(...rates.map(of));
    const [fastest, fastestRead] = [best(relayed, eachSecond), best(read, eachSecond)];
    const [busy, busyRead] = [best(relayed, eachBusySecond), best(read, eachBusySecond)];
    const slowest = (rates: readonly Rate[]): number => Math.min(...rates.map(eachSecond));
    const rate = (value: number): string => `${Math.round(value).toLocaleString("en")} events/s`;
    return {
      title,
      baseline,
      rows: [
        { what: `relayed, best of ${runs}`, value: rate(fastest), baseline: rate(fastestRead), ratio: times(fastest / fastestRead) },
        { what: `relayed, slowest of ${runs}`, value: rate(slowest(relayed)), baseline: rate(slowest(read)) },
        {
          what: "relayed for each second of processor time in the relay's process",
          value: rate(busy),
          baseline: rate(busyRead),
          ratio: times(busy / busyRead),
        },
        { what: "append to acknowledged by Kafka, median", value: milliseconds(percentile(arrival, 0.5)) },
        { what: "append to acknowledged by Kafka, 99th percentile", value: milliseconds(percentile(arrival, 0.99)) },
      ],
    };
  } finally {
    await store.close();
    await server.stop();
    await broker.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

const settingsFor = (address: string): KafkaSettings => ({
  brokers: [address],
  prefix: "bench",
  partitions: 6,
  replication: null,
  retentionHours: 24,
  tls: null,
  sasl: null,
});

const text = "A turn of a conversation, about as long as a learner's question together with the start of its answer. ".repeat(2);
const event = (number: number): NewEvent => ({
  id: crypto.randomUUID(),
  type: "TurnRecorded",
  data: { schemaVersion: 1, number, text },
  metadata: { accountId: "acc_benchmark", requestId: `request-${number}`, correlationId: "benchmark" },
});

/** Of events: over the clock, and over the processor time of this process, which says more on a shared machine. */
interface Rate {
  eachSecond: number;
  eachBusySecond: number;
}
const eachSecond = (rate: Rate): number => rate.eachSecond;
const eachBusySecond = (rate: Rate): number => rate.eachBusySecond;

function clock(): (count: number) => Rate {
  const began = performance.now();
  const before = process.cpuUsage();
  return (count) => {
    const { user, system } = process.cpuUsage(before);
    return { eachSecond: (count * 1_000) / (performance.now() - began), eachBusySecond: (count * 1_000_000) / (user + system) };
  };
}

async function readAll(store: EventStore): Promise<Rate> {
  const stopClock = clock();
  const stop = new AbortController();
  let count = 0;
  for await (const _ of store.subscribe({ from: null, prefixes: [], signal: stop.signal, onCaughtUp: () => stop.abort() })) count += 1;
  return stopClock(count);
}

/** How fast all there is gets to the topics, then how long single events take. */
async function relayAll(store: EventStore, settings: KafkaSettings): Promise<{ rate: Rate; arrival: number[] }> {
  const log = createLog("benchmark", { LOG_LEVEL: "silent" });
  const stop = new AbortController();
  const relay = runRelay({ store, kafka: openKafka(settings, log), settings, log, signal: stop.signal });
  const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));
  while (relay.status().relayed === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  const stopClock = clock();
  const first = relay.status().relayed;
  while (relay.status().relayed < events) await new Promise((resolve) => setTimeout(resolve, 2));
  const rate = stopClock(relay.status().relayed - first);
  const stream = `conversation-live-${settings.prefix}`;
  const arrival: number[] = [];
  for (let number = 0; number < live; number += 1) {
    const start = performance.now();
    const { position } = await store.append(stream, [event(number)], number === 0 ? "none" : number - 1);
    while (relay.status().position !== position) await tick();
    arrival.push(performance.now() - start);
  }
  stop.abort();
  await relay.finished;
  return { rate, arrival };
}
