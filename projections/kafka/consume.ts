import { abortable } from "@colloquy/infra/abortable.ts";
import { rethrowRetryable } from "@colloquy/infra/backoff.ts";
import { damagedFileAdvice } from "@colloquy/infra/database/damage.ts";
import { type EventStore, StoreIsOlder } from "@colloquy/infra/event-store/client.ts";
import { type Kafka, WrongPartitions } from "@colloquy/infra/kafka/client.ts";
import type { GroupMember, TopicPartition } from "@colloquy/infra/kafka/group.ts";
import { KafkaIsAhead } from "@colloquy/infra/kafka/is-ahead.ts";
import { categoryOf, marksTopicOf, topicOf } from "@colloquy/infra/kafka/layout.ts";
import { type Mark, readMark } from "@colloquy/infra/kafka/relay-mark.ts";
import type { KafkaSettings } from "@colloquy/infra/kafka/settings.ts";
import { eventTopics, marksTopic } from "@colloquy/infra/kafka/topics.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { comparePositions } from "@colloquy/schemas/positions.ts";
import type { Kysely } from "kysely";
import pRetry from "p-retry";
import type { CheckpointTables } from "../checkpoints/tables.ts";
import type { Projection } from "../projection.ts";
import type { ProjectionStatus, RunningProjection } from "../runner.ts";
import { createLaneTable } from "./lane-tables.ts";
import { type Partition, runPartition } from "./partition.ts";
import { type Watermark, watermark } from "./watermark.ts";

const preparationRetry = { retries: Number.POSITIVE_INFINITY, minTimeout: 1_000, factor: 1 };
/** How often offsets are committed to Kafka, and paused partitions checked, in milliseconds. */
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
  /** Runs one projection; pass it to `runAll`. */
  start(projection: Projection): RunningProjection;
  /** Resolves when everything has stopped after the signal. @rejects {WrongPartitions} {KafkaIsAhead} */
  finished: Promise<void>;
}

/**
 * Runs projections as a member of a consumer group. Each partition that is assigned to this process has its own runner, whose checkpoint
 * moves in the transaction of its rows. Starts with the first `start`, when the tables exist.
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
  let isStarted = false;
  const finished = Promise.withResolvers<void>();
  const keyOf = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;

  function onMark(mark: Mark): void {
    const lower = latest?.position && mark.position && comparePositions(mark.position, latest.position) < 0;
    // The first mark may be older than a restore; a lower one comes from a second relay or from a restored store.
    if (!latest || lower) void endIfAheadOfStore(lower ? latest : mark);
    if (lower) return;
    latest = mark;
    for (const each of watermarks.values()) each.relayAdvanced(mark);
  }

  /** Rejects `finished` if the relay's mark lies beyond the last event of the store. */
  async function endIfAheadOfStore(mark: Mark | undefined): Promise<void> {
    const position = mark?.position;
    if (typeof position !== "string") return;
    try {
      const head = await store.head();
      if (head === null || comparePositions(position, head) > 0)
        finished.reject(new KafkaIsAhead(settings.prefix, new StoreIsOlder(position, head)));
    } catch (error) {
      log.debug({ err: error }, "the last event of the store could not be read");
    }
  }

  function onAssigned(assigned: TopicPartition[]): void {
    const wanted = new Map(assigned.map((place) => [keyOf(place), place]));
    // The Kafka client keeps partitions paused across assignments.
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
      onAdvance: (name) => watermarks.get(name)?.laneAdvanced(),
    });

  /** Creates the table of lanes and the topics; returns the offset of the last mark. */
  async function prepare(): Promise<number> {
    const all = projections.flatMap((projection) =>
      topicsOf(projection).flatMap((topic) =>
        Array.from({ length: settings.partitions }, (_, partition) => ({ projection: projection.name, topic, partition })),
      ),
    );
    await createLaneTable(database, all);
    const categories = projections.flatMap(({ streams }) => streams.map(categoryOf));
    // Brokers that do not answer must not delay a stop.
    await abortable(kafka.createTopics([...eventTopics(settings, categories), marksTopic(settings)]), signal);
    const [marks] = await abortable(kafka.offsets(marksTopicOf(settings)), signal);
    return Math.max(marks?.low ?? 0, (marks?.high ?? 0) - 1);
  }

  function prepareWithRetries(): Promise<number> {
    let damageLogged = false;
    return pRetry(() => prepare().catch(rethrowRetryable), {
      ...preparationRetry,
      signal,
      shouldRetry: ({ error }) => !(error instanceof WrongPartitions),
      onFailedAttempt({ error }) {
        if (error instanceof WrongPartitions) return;
        const damage = damagedFileAdvice(error);
        // Only an operator can repair the file: logged once.
        if (damage && !damageLogged) log.error(damage);
        if (!damage) log.warn({ err: error }, "Kafka could not be prepared for the projections; retrying");
        damageLogged = damage !== null;
      },
    });
  }

  async function run(): Promise<void> {
    let nextMark = await prepareWithRetries();
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
            log.warn({ err: error, offset }, "skipped an unreadable mark of the relay");
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
        mine?.receive(records);
        if (!mine?.isFull()) return;
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
      const offset = partition.nextOffsetToCommit();
      return offset === null ? [] : [{ topic: partition.topic, partition: partition.partition, offset }];
    });
    // Uncommitted records are delivered again and ignored.
    await member.commit(offsets).catch((error) => log.debug({ err: error }, "offsets could not be committed"));
  }

  function resume(member: GroupMember): void {
    for (const [key, place] of paused) {
      if (partitions.get(key)?.hasRoom() === false) continue;
      paused.delete(key);
      member.resume([place]);
    }
  }

  return {
    start({ name }) {
      if (!isStarted) void run().then(finished.resolve, (error) => (signal.aborted ? finished.resolve() : finished.reject(error)));
      isStarted = true;
      return {
        status: () =>
          combineStatuses(
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

const bySeverity = ["ahead", "failed", "retrying", "standby", "catching-up", "starting", "live", "stopped"] as const;

/** The status of a projection from those of its partitions; state `none` if this process has no partition of it. */
function combineStatuses(name: string, lanes: readonly ProjectionStatus[], none: ProjectionStatus["state"]): ProjectionStatus {
  const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0);
  const failure = lanes.find((lane) => lane.failure)?.failure;
  const skipped: Record<string, number> = {};
  for (const lane of lanes) for (const [type, count] of Object.entries(lane.skipped)) skipped[type] = (skipped[type] ?? 0) + count;
  return {
    name,
    state: bySeverity.find((state) => lanes.some((lane) => lane.state === state)) ?? none,
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
