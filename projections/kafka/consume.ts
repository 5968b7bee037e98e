import { setTimeout as pause } from "node:timers/promises";
import { abortable } from "@colloquy/infra/abortable.ts";
import { damagedFileAdvice } from "@colloquy/infra/database/damage.ts";
import { comparePositions } from "@colloquy/infra/database/positions.ts";
import { type EventStore, StoreIsOlder } from "@colloquy/infra/event-store/client.ts";
import { type Kafka, WrongPartitions } from "@colloquy/infra/kafka/client.ts";
import type { GroupMember, TopicPartition } from "@colloquy/infra/kafka/group.ts";
import { KafkaIsAhead } from "@colloquy/infra/kafka/is-ahead.ts";
import { categoryOf, marksTopicOf, topicOf } from "@colloquy/infra/kafka/layout.ts";
import { type Mark, readMark } from "@colloquy/infra/kafka/relay-mark.ts";
import type { KafkaSettings } from "@colloquy/infra/kafka/settings.ts";
import { eventTopics, marksTopic } from "@colloquy/infra/kafka/topics.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import type { Kysely } from "kysely";
import type { CheckpointTables } from "../checkpoints/tables.ts";
import type { Projection } from "../projection.ts";
import type { ProjectionStatus, RunningProjection } from "../runner.ts";
import { createLanes } from "./lane-tables.ts";
import { type Partition, runPartition } from "./partition.ts";
import { type Watermark, watermark } from "./watermark.ts";

const retryMs = 1_000;
/** How often offsets are stored in Kafka, and paused partitions looked at. */
const commitMs = 1_000;
const resumeMs = 20;

interface Options {
  projections: readonly Projection[];
  database: Kysely<CheckpointTables>;
  store: Pick<EventStore, "readAll" | "head" | "next" | "assertSameStore">;
  kafka: Kafka;
  settings: KafkaSettings;
  log: Logger;
  signal: AbortSignal;
}

export interface KafkaConsumption {
  /** One projection's part of it, as `runAll` asks for. */
  start(projection: Projection): RunningProjection;
  /** Resolves when everything has stopped, after the signal. @rejects {WrongPartitions} {KafkaIsAhead} */
  finished: Promise<void>;
}

/**
 * Runs projections as a member of a consumer group: each partition that falls to this process is worked through by itself, with a
 * checkpoint of its own in the transaction of its rows. Begins with the first `start`, when the tables have been made.
 */
export function consumeFromKafka(options: Options): KafkaConsumption {
  const { projections, database, store, kafka, settings, log, signal } = options;
  const topicsOf = ({ streams }: Projection): string[] => [...new Set(streams.map((prefix) => topicOf(settings, categoryOf(prefix))))];
  const topics = [...new Set(projections.flatMap(topicsOf))];
  const partitions = new Map<string, Partition>();
  const leaving = new Set<Promise<void>>();
  const paused = new Map<string, TopicPartition>();
  const watermarks = new Map<string, Watermark>(
    projections.map((projection) => [
      projection.name,
      watermark({ database, projection: projection.name, topics: topicsOf(projection), log }),
    ]),
  );
  let latest: Mark | undefined;
  let member: GroupMember | undefined;
  let assignedOnce = false;
  let begun = false;
  const finished = Promise.withResolvers<void>();
  const keyOf = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;

  function onMark(mark: Mark): void {
    const lower = latest?.position && mark.position && comparePositions(mark.position, latest.position) < 0;
    // The first one may be of before a restore; a lower one comes from a second relay, or from a store that was set back.
    if (!latest || lower) void demandWithin(lower ? latest : mark);
    if (lower) return;
    latest = mark;
    for (const each of watermarks.values()) each.mark(mark);
  }

  /** Ends the consumption when the relay has been beyond the last event there is. */
  async function demandWithin(mark: Mark | undefined): Promise<void> {
    const position = mark?.position;
    if (typeof position !== "string") return;
    try {
      const head = await store.head();
      if (head === null || comparePositions(position, head) > 0)
        finished.reject(new KafkaIsAhead(settings.prefix, new StoreIsOlder(position, head)));
    } catch (error) {
      log.debug({ err: error }, "the store could not be asked for its last event");
    }
  }

  function onAssigned(assigned: TopicPartition[]): void {
    const wanted = new Map(assigned.map((place) => [keyOf(place), place]));
    // The library keeps partitions paused across assignments.
    member?.resume([...paused.values()]);
    paused.clear();
    assignedOnce = true;
    for (const [key, partition] of partitions) {
      if (wanted.has(key)) continue;
      partitions.delete(key);
      const stopped = partition.stop().finally(() => leaving.delete(stopped));
      leaving.add(stopped);
    }
    for (const [key, place] of wanted) if (!partitions.has(key)) partitions.set(key, begin(place));
    log.info({ partitions: [...partitions.keys()] }, "partitions were assigned");
  }

  const begin = (place: TopicPartition): Partition =>
    runPartition({
      place,
      database,
      store,
      settings,
      log,
      projections: projections.filter((projection) => topicsOf(projection).includes(place.topic)),
      relayed: () => latest?.last[place.topic]?.[place.partition] ?? null,
      onMoved: (name) => watermarks.get(name)?.moved(),
    });

  async function prepare(): Promise<number> {
    let damaged = false;
    for (;;) {
      try {
        const all = projections.flatMap((projection) =>
          topicsOf(projection).flatMap((topic) =>
            Array.from({ length: settings.partitions }, (_, partition) => ({ projection: projection.name, topic, partition })),
          ),
        );
        await createLanes(database, all);
        const categories = projections.flatMap(({ streams }) => streams.map(categoryOf));
        // Brokers that do not answer must not hold up a stop.
        await abortable(kafka.createTopics([...eventTopics(settings, categories), marksTopic(settings)]), signal);
        const [marks] = await abortable(kafka.offsets(marksTopicOf(settings)), signal);
        return Math.max(marks?.low ?? 0, (marks?.high ?? 0) - 1);
      } catch (error) {
        if (error instanceof WrongPartitions || signal.aborted) throw error;
        const damage = damagedFileAdvice(error);
        // Nothing but a person helps then, who reads it once.
        if (damage && !damaged) log.error(damage);
        if (!damage) log.warn({ err: error }, "Kafka could not be prepared for the projections; trying again");
        damaged = damage !== null;
        await pause(retryMs, undefined, { signal });
      }
    }
  }

  async function run(): Promise<void> {
    let nextMark = await prepare();
    const marks = kafka.join({
      group: `${settings.prefix}.marks-${crypto.randomUUID()}`,
      topics: [marksTopicOf(settings)],
      signal,
      from: () => nextMark,
      onRecords({ records }) {
        for (const { offset, value } of records) {
          nextMark = offset + 1;
          try {
            onMark(readMark(value));
          } catch (error) {
            log.warn({ err: error, offset }, "a record among the relay's marks was skipped");
          }
        }
      },
    });
    const joined = kafka.join({
      group: `${settings.prefix}.projections`,
      topics,
      signal,
      onAssigned,
      onRecords({ topic, partition, records }) {
        const place = { topic, partition };
        const mine = partitions.get(keyOf(place));
        mine?.put(records);
        if (!mine?.full()) return;
        paused.set(keyOf(place), place);
        joined.pause([place]);
      },
    });
    member = joined;
    const committing = setInterval(() => void commit(joined), commitMs);
    const resuming = setInterval(() => resume(joined), resumeMs);
    await Promise.all([marks.finished, joined.finished]);
    clearInterval(committing);
    clearInterval(resuming);
    await Promise.all([...leaving, ...[...partitions.values()].map((partition) => partition.stop())]);
    await Promise.all([...watermarks.values()].map((each) => each.close()));
  }

  async function commit(member: GroupMember): Promise<void> {
    const offsets = [...partitions.values()].flatMap((partition) => {
      const offset = partition.done();
      return offset === null ? [] : [{ topic: partition.topic, partition: partition.partition, offset }];
    });
    // What is not stored in Kafka is brought again, and recognised.
    await member.commit(offsets).catch((error) => log.debug({ err: error }, "offsets could not be stored"));
  }

  function resume(member: GroupMember): void {
    for (const [key, place] of paused) {
      if (partitions.get(key)?.roomy() === false) continue;
      paused.delete(key);
      member.resume([place]);
    }
  }

  return {
    start({ name }) {
      if (!begun) void run().then(finished.resolve, (error) => (signal.aborted ? finished.resolve() : finished.reject(error)));
      begun = true;
      return {
        status: () =>
          together(
            name,
            [...partitions.values()].flatMap((partition) => partition.status(name) ?? []),
            assignedOnce ? "standby" : "starting",
          ),
        finished: finished.promise,
      };
    },
    finished: finished.promise,
  };
}

const byGravity = ["ahead", "failed", "retrying", "standby", "catching-up", "starting", "live", "stopped"] as const;

/** One word for a projection whose partitions each have their own; `none` where this process has no partition of it. */
function together(name: string, lanes: readonly ProjectionStatus[], none: ProjectionStatus["state"]): ProjectionStatus {
  const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0);
  const failure = lanes.find((lane) => lane.failure)?.failure;
  const skipped: Record<string, number> = {};
  for (const lane of lanes) for (const [type, count] of Object.entries(lane.skipped)) skipped[type] = (skipped[type] ?? 0) + count;
  return {
    name,
    state: byGravity.find((state) => lanes.some((lane) => lane.state === state)) ?? none,
    position: lanes.reduce<string | null>(
      (furthest, { position }) =>
        position !== null && (furthest === null || comparePositions(position, furthest) > 0) ? position : furthest,
      null,
    ),
    lagMs: Math.max(0, ...lanes.map(({ lagMs }) => lagMs)),
    applied: sum(lanes.map(({ applied }) => applied)),
    skipped,
    eventsPerSecond: sum(lanes.map(({ eventsPerSecond }) => eventsPerSecond)),
    ...(failure && { failure }),
  };
}
