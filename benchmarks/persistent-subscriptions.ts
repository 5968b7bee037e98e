import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { spawnEventStore } from "@colloquy/infra/event-store/embedded/spawn-server.ts";
import { EventStoreDBClient, jsonEvent, persistentSubscriptionToStreamSettingsFromDefaults, START } from "@eventstore/db-client";
import { type Benchmark, percentile, times } from "./benchmark.ts";

const stream = "conversation-benchmark";
const total = 10_000;
const batch = 500;
const rounds = 3;
const bufferSize = 100;
const text = "A turn of a conversation, about as long as a learner's question together with the start of its answer. ".repeat(2);

/** A group of the embedded event store, each event acknowledged by itself; beside it the same client reading the same stream with a catch-up subscription. */
export async function run(): Promise<Benchmark> {
  const folder = mkdtempSync(join(tmpdir(), "colloquy-persistent-"));
  const server = await spawnEventStore(folder);
  const client = EventStoreDBClient.connectionString(server.url);
  try {
    for (let from = 0; from < total; from += batch) await client.appendToStream(stream, events(from));
    await catchUp(client);
    const taken: Record<"catchUp" | "one" | "three", number[]> = { catchUp: [], one: [], three: [] };
    for (let round = 0; round < rounds; round += 1) {
      taken.catchUp.push(await catchUp(client));
      taken.one.push(await drain(client, `one-${round}`, 1));
      taken.three.push(await drain(client, `three-${round}`, 3));
    }
    const baseline = percentile(taken.catchUp, 0.5);
    const row = (what: string, value: number) => ({ what, value: rate(value), baseline: rate(baseline), ratio: times(value / baseline) });
    return {
      title: `Persistent subscriptions (${total.toLocaleString("en")} events of about 330 bytes, median of ${rounds})`,
      baseline: "the same client reading the same stream with a catch-up subscription, which acknowledges nothing",
      rows: [
        row("one consumer, each event acknowledged", percentile(taken.one, 0.5)),
        row("three consumers, each event acknowledged once", percentile(taken.three, 0.5)),
      ],
    };
  } finally {
    await client.dispose();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const rate = (each: number): string => `${Math.round(each).toLocaleString("en")} events/s`;

const events = (from: number) =>
  Array.from({ length: batch }, (_, index) => jsonEvent({ type: "TurnRecorded", data: { number: from + index, text } }));

/** Events each second. */
async function catchUp(client: EventStoreDBClient): Promise<number> {
  const began = performance.now();
  let count = 0;
  for await (const _ of client.subscribeToStream(stream)) if (++count === total) break;
  return (total * 1_000) / (performance.now() - began);
}

/** Events each second. */
async function drain(client: EventStoreDBClient, group: string, consumers: number): Promise<number> {
  await client.createPersistentSubscriptionToStream(
    stream,
    group,
    persistentSubscriptionToStreamSettingsFromDefaults({ startFrom: START }),
  );
  const began = performance.now();
  let count = 0;
  const subscriptions = Array.from({ length: consumers }, () =>
    client.subscribeToPersistentSubscriptionToStream(stream, group, { bufferSize }),
  );
  await new Promise<void>((resolve, reject) => {
    for (const subscription of subscriptions)
      subscription.on("error", reject).on("data", (event) => {
        subscription.ack(event).catch(reject);
        if (++count === total) resolve();
      });
  });
  const seconds = (performance.now() - began) / 1_000;
  await Promise.all(subscriptions.map((subscription) => subscription.unsubscribe()));
  return total / seconds;
}
