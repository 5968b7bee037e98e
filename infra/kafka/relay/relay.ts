import { Backoff } from "../../backoff.ts";
import { type EventStore, type StoredEvent, StoreIsOlder } from "../../event-store/client.ts";
import { createMailbox, type Mailbox } from "../../mailbox.ts";
import type { Logger } from "../../telemetry/log.ts";
import { createMeter } from "../../telemetry/meter.ts";
import { inSpanOfBatch } from "../../telemetry/traces.ts";
import { type Kafka, type KafkaProducer, WrongPartitions } from "../client.ts";
import { KafkaIsAhead } from "../is-ahead.ts";
import { isCopied, marksTopicOf } from "../layout.ts";
import { type Progress, readMark } from "../relay-mark.ts";
import type { KafkaSettings } from "../settings.ts";
import { eventTopics, marksTopic } from "../topics.ts";
import { batchOf, withMark } from "./batch.ts";
import { createPurges, type Purges } from "./purges.ts";

/** Events held ready while a send is under way. */
const readAhead = 4_000;
const restartPauses = { firstMs: 200, longestMs: 5_000 };

export interface RelayStatus {
  state: "starting" | "relaying" | "retrying" | "stopped";
  /** Of the last event that the brokers acknowledged. */
  position: string | null;
  /** Since this process began. */
  relayed: number;
  /** Age of the oldest waiting event, in milliseconds; 0 if none waits. */
  lagMs: number;
  eventsPerSecond: number;
  /** Partitions whose files may still hold deleted text. */
  purging: number;
}

export interface Relay {
  status(): RelayStatus;
  /** Resolves when it has stopped, by the signal. @rejects {WrongPartitions} {KafkaIsAhead} */
  finished: Promise<void>;
}

interface Options {
  store: Pick<EventStore, "subscribe">;
  kafka: Kafka;
  settings: KafkaSettings;
  log: Logger;
  signal: AbortSignal;
  /** See `createPurges`. */
  rollAfterMs?: number;
}

/**
 * Copies every event to Kafka, in order, at least once, until the signal. Its progress is stored in Kafka with the copies, so a new or
 * emptied Kafka is filled from the beginning. Several relays may run at once; consumers drop the duplicates.
 */
export function runRelay(options: Options): Relay {
  const { store, kafka, settings, log, signal } = options;
  const status = { state: "starting" as RelayStatus["state"], position: null as string | null, relayed: 0 };
  const meter = createMeter();
  let purging: () => number = () => 0;
  let waiting: () => StoredEvent | undefined = () => undefined;

  /** Runs from the last mark until an error or the signal. */
  async function relay(): Promise<void> {
    waiting = () => undefined;
    const leaving = new AbortController();
    await kafka.createTopics([marksTopic(settings)]);
    const found = await kafka.last(marksTopicOf(settings), signal);
    const mark = found ? readMark(found.value) : null;
    let acked: Progress = mark?.acked ?? { position: null, last: {} };
    status.position = acked.position;
    const { rollAfterMs } = options;
    const purges = createPurges({ kafka, log, ...(mark && { left: mark.purges }), ...(rollAfterMs !== undefined && { rollAfterMs }) });
    purging = purges.waiting;
    const topics = new Set<string>();
    const producer = await kafka.openProducer();
    log.info({ position: acked.position }, "the relay starts");
    const box = createMailbox<StoredEvent>(readAhead);
    const bringing = bring(acked, box, AbortSignal.any([signal, leaving.signal])).then(
      () => box.end(),
      (error) => box.end(error),
    );
    try {
      status.state = "relaying";
      for (let events = await box.take(readAhead); events.length > 0; events = await box.take(readAhead)) {
        waiting = () => events[0];
        while (events.length > 0) {
          const batch = batchOf(settings, acked, events);
          await createMissing(batch.topics.keys(), topics);
          const taken = events.slice(0, batch.taken);
          const before = acked;
          await inSpanOfBatch("relay", { "colloquy.events": batch.taken }, taken, () => send(producer, batch, before, purges));
          acked = batch.progress;
          status.position = acked.position;
          status.relayed += batch.taken;
          meter.add(batch.taken);
          events = events.slice(batch.taken);
        }
        waiting = box.peek;
      }
      // So that the next relay continues exactly here.
      if (acked.position !== null) await producer.send(withMark(settings, new Map(), { ...acked, acked, purges: purges.pending() }));
    } finally {
      leaving.abort();
      // The producer may wait for room in the mailbox: empty it, so that it ends.
      while ((await box.take(readAhead).catch(() => [])).length > 0);
      await Promise.allSettled([bringing, producer.close(), purges.close()]);
    }
  }

  async function bring({ position, seen }: Progress, box: Mailbox<StoredEvent>, round: AbortSignal): Promise<void> {
    // Text that was deleted must not reach Kafka again, as with a new prefix of topics.
    const options = { from: position, prefixes: [], signal: round, name: "relay", skipHidden: true, ...(seen && { seen }) };
    for await (const event of store.subscribe(options)) {
      if (!isCopied(event.stream)) continue;
      const full = box.put(event);
      if (full) await full;
    }
  }

  async function send(producer: KafkaProducer, batch: ReturnType<typeof batchOf>, acked: Progress, purges: Purges): Promise<void> {
    const mark = { ...batch.progress, acked, purges: purges.pending() };
    const placed = await producer.send(withMark(settings, batch.topics, mark));
    for (const { topic, partition, index } of batch.deletions) {
      const first = placed.find((place) => place.topic === topic && place.partition === partition);
      if (first) purges.add(topic, partition, { offset: first.firstOffset + index, at: Date.now() });
    }
  }

  async function createMissing(wanted: Iterable<string>, known: Set<string>): Promise<void> {
    const missing = [...wanted].filter((topic) => !known.has(topic));
    if (missing.length === 0) return;
    const categories = missing.map((topic) => topic.slice(settings.prefix.length + 1));
    await kafka.createTopics(eventTopics(settings, categories));
    for (const topic of missing) known.add(topic);
  }

  async function run(): Promise<void> {
    const backoff = new Backoff(restartPauses);
    while (!signal.aborted) {
      const began = status.relayed;
      try {
        await relay();
      } catch (error) {
        if (error instanceof WrongPartitions) throw error;
        if (error instanceof StoreIsOlder) throw new KafkaIsAhead(settings.prefix, error);
        if (signal.aborted) break;
        status.state = "retrying";
        log.warn({ err: error, position: status.position }, "the relay was interrupted and restarts from its last mark");
      }
      if (status.relayed > began) backoff.reset();
      await backoff.pause(signal);
    }
    status.state = "stopped";
  }

  return {
    status() {
      const next = waiting();
      const lagMs = next ? Math.max(0, Date.now() - Date.parse(next.created)) : 0;
      return { ...status, lagMs, eventsPerSecond: meter.perSecond(), purging: purging() };
    },
    finished: run(),
  };
}
