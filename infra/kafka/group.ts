import { setTimeout as pause } from "node:timers/promises";
import { Backoff } from "../backoff.ts";
import type { Logger } from "../telemetry/log.ts";
import type { Kafka as Client, Consumer, EachBatchPayload, IHeaders } from "./kafkajs.ts";

/** After this silence a member loses its partitions to the others. The minimum that brokers allow by default. */
const sessionMs = 6_000;
const heartbeatMs = 1_500;
/** How long a fetch waits for new records, and so how long a resumed partition may have to wait. */
const fetchWaitMs = 250;
const bytesPerPartition = 1_048_576;
const rejoinPauses = { firstMs: 200, longestMs: 3_000 };
/** After this time without failure the backoff starts again. */
const healthyMs = 10_000;
/** How long leaving the group may take when the broker does not answer. */
const leaveWithinMs = 1_500;

export interface KafkaRecord {
  offset: number;
  value: Buffer | null;
  headers: Record<string, string>;
}

export interface TopicPartition {
  topic: string;
  partition: number;
}

export interface GroupOptions {
  group: string;
  topics: readonly string[];
  signal: AbortSignal;
  /** The partitions of this member; called after each rebalance, before any of their records. */
  onAssigned?: (assigned: TopicPartition[]) => void;
  /** Records in order. It must return quickly and use `pause` for longer work. If it throws, the batch is delivered again. */
  onRecords: (batch: TopicPartition & { records: KafkaRecord[] }) => void;
  /** Where to begin in a partition at each assignment, instead of what the group has committed (without that, the first record there is). */
  from?: (partition: TopicPartition) => number;
}

export interface GroupMember {
  /** Delivers no more records of these partitions until `resume`, except fetched ones. */
  pause(partitions: readonly TopicPartition[]): void;
  resume(partitions: readonly TopicPartition[]): void;
  /** Stores, in Kafka, that everything before these offsets is done. @throws when another member has the partitions meanwhile */
  commit(offsets: readonly (TopicPartition & { offset: number })[]): Promise<void>;
  /** Resolves when it has left the group, after the signal. */
  finished: Promise<void>;
}

/** A member of a consumer group until the signal. It joins again when its connection or membership fails. */
export function joinGroup(client: Client, options: GroupOptions, log: Logger): GroupMember {
  const { group, topics, signal, from } = options;
  let consumer: Consumer | null = null;

  async function once(): Promise<void> {
    const joined = client.consumer({
      groupId: group,
      sessionTimeout: sessionMs,
      rebalanceTimeout: sessionMs,
      heartbeatInterval: heartbeatMs,
      maxWaitTimeInMs: fetchWaitMs,
      maxBytesPerPartition: bytesPerPartition,
      allowAutoTopicCreation: false,
      // A crash ends this member; `run` below makes another.
      retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 4, restartOnFailure: async () => false },
    });
    const ended = Promise.withResolvers<void>();
    const stop = (): void => ended.resolve();
    signal.addEventListener("abort", stop, { once: true });
    joined.on(joined.events.CRASH, ({ payload }) => ended.reject(payload.error));
    joined.on(joined.events.GROUP_JOIN, ({ payload }) => {
      const assigned = Object.entries(payload.memberAssignment).flatMap(([topic, partitions]) =>
        partitions.map((partition) => ({ topic, partition })),
      );
      if (from) for (const place of assigned) joined.seek({ ...place, offset: String(from(place)) });
      options.onAssigned?.(assigned);
    });
    async function begin(): Promise<void> {
      await joined.connect();
      await joined.subscribe({ topics: [...topics], fromBeginning: true });
      if (signal.aborted) return;
      consumer = joined;
      await joined.run({
        autoCommit: false,
        partitionsConsumedConcurrently: 1,
        eachBatch: async ({ batch, heartbeat }: EachBatchPayload) => {
          if (signal.aborted) return;
          const records = batch.messages.map(({ offset, value, headers }) => ({ offset: Number(offset), value, headers: texts(headers) }));
          options.onRecords({ topic: batch.topic, partition: batch.partition, records });
          await heartbeat();
        },
      });
      await ended.promise;
    }
    try {
      // A broker that does not answer must not delay a stop.
      await Promise.race([begin(), ended.promise]);
    } finally {
      consumer = null;
      signal.removeEventListener("abort", stop);
      ended.promise.catch(() => undefined);
      await Promise.race([joined.disconnect().catch(() => undefined), pause(leaveWithinMs, undefined, { ref: false })]);
    }
  }

  async function run(): Promise<void> {
    const backoff = new Backoff(rejoinPauses);
    while (!signal.aborted) {
      const began = Date.now();
      try {
        await once();
      } catch (error) {
        if (signal.aborted) return;
        if (Date.now() - began > healthyMs) backoff.reset();
        const failures = backoff.failures + 1;
        // Fresh topics and groups have no leader for a moment.
        log[failures > 2 ? "warn" : "debug"]({ err: error, group, failures }, "Kafka cannot be read; retrying");
      }
      await backoff.pause(signal);
    }
  }

  return {
    pause: (partitions) => consumer?.pause(partitions.map(({ topic, partition }) => ({ topic, partitions: [partition] }))),
    resume: (partitions) => consumer?.resume(partitions.map(({ topic, partition }) => ({ topic, partitions: [partition] }))),
    async commit(offsets) {
      if (offsets.length > 0)
        await consumer?.commitOffsets(offsets.map(({ topic, partition, offset }) => ({ topic, partition, offset: String(offset) })));
    },
    finished: run(),
  };
}

function texts(headers: IHeaders | undefined): Record<string, string> {
  const read: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers ?? {})) {
    const one = Array.isArray(value) ? value[0] : value;
    if (one !== undefined) read[name] = one.toString();
  }
  return read;
}
