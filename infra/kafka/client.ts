import type { Logger } from "../telemetry/log.ts";
import { type GroupMember, type GroupOptions, joinGroup, type KafkaRecord } from "./group.ts";
import { type Admin, Kafka as Client, CompressionTypes, type logCreator, logLevel, type Producer } from "./kafkajs.ts";
import type { KafkaSettings } from "./settings.ts";

/** The only module that uses Kafka's client library. */
export interface Kafka {
  /**
   * Creates the topics that are missing.
   * @throws {WrongPartitions} when one exists with another number of partitions than the settings say
   */
  createTopics(topics: readonly TopicSpec[]): Promise<void>;
  /** A producer whose sends are idempotent and acknowledged by all replicas in sync. One send at a time. */
  openProducer(): Promise<KafkaProducer>;
  /** Joins a consumer group until the signal; joins again after errors. */
  join(options: GroupOptions): GroupMember;
  /** The last record of a topic of one partition; null when there is none. */
  last(topic: string, signal: AbortSignal): Promise<KafkaRecord | null>;
  /** The first offset there is and the next to be written, by partition. */
  offsets(topic: string): Promise<{ partition: number; low: number; high: number }[]>;
  /** Makes the records before an offset (or all there are) unreadable, by partition; the brokers remove them from disk with their segment. */
  deleteBefore(topic: string, offsets: ReadonlyMap<number, number>): Promise<void>;
}

export interface TopicSpec {
  name: string;
  partitions: number;
  config: Record<string, string>;
}

export interface OutgoingRecord {
  key: string;
  value: Buffer | string;
  partition: number;
  headers?: Record<string, string>;
}

export interface KafkaProducer {
  /** Resolves when all of it is acknowledged, with the offset of the first record in each partition. @throws when any of it may not be. */
  send(topics: ReadonlyMap<string, OutgoingRecord[]>): Promise<{ topic: string; partition: number; firstOffset: number }[]>;
  close(): Promise<void>;
}

/** A topic has another number of partitions than configured, so streams would be looked up in the wrong ones. */
export class WrongPartitions extends Error {
  override name = "WrongPartitions";
}

const timeoutMs = { connect: 3_000, request: 15_000 };
const retry = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 4 };
const allInSync = -1;

/** A client for these brokers; it connects when it is first used. */
export function openKafka(settings: Pick<KafkaSettings, "brokers" | "replication" | "tls" | "sasl">, log: Logger): Kafka {
  const client = new Client({
    clientId: "colloquy",
    brokers: settings.brokers,
    connectionTimeout: timeoutMs.connect,
    requestTimeout: timeoutMs.request,
    retry,
    logLevel: logLevel.WARN,
    logCreator: logTo(log),
    ...(settings.tls && { ssl: settings.tls.ca ? { ca: settings.tls.ca } : true }),
    ...(settings.sasl && { sasl: settings.sasl as { mechanism: "plain"; username: string; password: string } }),
  });

  async function administer<Result>(work: (admin: Admin) => Promise<Result>): Promise<Result> {
    const admin = client.admin();
    try {
      await admin.connect();
      return await work(admin);
    } finally {
      await admin.disconnect().catch(() => undefined);
    }
  }

  async function offsets(topic: string): Promise<{ partition: number; low: number; high: number }[]> {
    const found = await administer((admin) => admin.fetchTopicOffsets(topic));
    return found.map(({ partition, low, high }) => ({ partition, low: Number(low), high: Number(high) }));
  }

  const join = (options: GroupOptions): GroupMember => joinGroup(client, options, log);

  return {
    createTopics: (topics) =>
      administer(async (admin) => {
        const existing = new Set(await admin.listTopics());
        const missing = topics.filter(({ name }) => !existing.has(name));
        if (missing.length > 0)
          await admin
            .createTopics({
              waitForLeaders: true,
              topics: missing.map(({ name, partitions, config }) => ({
                topic: name,
                numPartitions: partitions,
                replicationFactor: settings.replication ?? -1,
                configEntries: Object.entries(config).map(([entry, value]) => ({ name: entry, value })),
              })),
            })
            // Another process may have created them; their partitions are checked below.
            .catch((error) => {
              if (!String(error?.errors?.[0]?.type ?? error?.type).includes("TOPIC_ALREADY_EXISTS")) throw error;
            });
        const metadata = await admin.fetchTopicMetadata({ topics: topics.map(({ name }) => name) });
        for (const { name, partitions } of topics) {
          const has = metadata.topics.find((topic) => topic.name === name)?.partitions.length ?? 0;
          if (has !== partitions)
            throw new WrongPartitions(
              `The topic ${name} has ${has} partitions, KAFKA_PARTITIONS says ${partitions}: set it to ${has}, or choose another KAFKA_TOPIC_PREFIX.`,
            );
        }
      }),
    openProducer: () => openProducer(client),
    join,
    offsets,
    async last(topic, signal) {
      const [only] = await offsets(topic);
      if (!only || only.high === only.low) return null;
      return lastOf(join, topic, only.high - 1, signal);
    },
    deleteBefore: (topic, before) =>
      administer(async (admin) => {
        const there = await admin.fetchTopicOffsets(topic);
        const partitions = there.flatMap(({ partition, low, high }) => {
          // A topic that was made anew may not have come so far.
          const offset = Math.min(before.get(partition) ?? 0, Number(high));
          return offset > Number(low) ? [{ partition, offset: String(offset) }] : [];
        });
        if (partitions.length > 0) await admin.deleteTopicRecords({ topic, partitions });
      }),
  };
}

async function openProducer(client: Client): Promise<KafkaProducer> {
  const producer: Producer = client.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    createPartitioner:
      () =>
      ({ message }) =>
        message.partition ?? 0,
  });
  await producer.connect();
  return {
    async send(topics) {
      const placed = await producer.sendBatch({
        acks: allInSync,
        compression: CompressionTypes.None,
        topicMessages: [...topics].map(([topic, messages]) => ({ topic, messages })),
      });
      return placed.map(({ topicName, partition, baseOffset }) => {
        if (Number(baseOffset) < 0) throw new Error(`${topicName} took records without saying where.`);
        return { topic: topicName, partition, firstOffset: Number(baseOffset) };
      });
    },
    close: () => producer.disconnect(),
  };
}

/** The first record from an offset on. Compaction keeps the last record of a topic, though a newer one may have replaced it. */
async function lastOf(
  join: (options: GroupOptions) => GroupMember,
  topic: string,
  offset: number,
  signal: AbortSignal,
): Promise<KafkaRecord> {
  const leaving = new AbortController();
  const found = Promise.withResolvers<KafkaRecord>();
  const stop = (): void => found.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  const member = join({
    group: `${topic}.reader-${crypto.randomUUID()}`,
    topics: [topic],
    signal: leaving.signal,
    from: () => offset,
    onRecords: ({ records }) => {
      const last = records.at(-1);
      if (last) found.resolve(last);
    },
  });
  try {
    return await found.promise;
  } finally {
    signal.removeEventListener("abort", stop);
    leaving.abort();
    await member.finished;
  }
}

/** The library's messages are logged for debugging only: its callers log what matters. */
const logTo =
  (log: Logger): logCreator =>
  () =>
  ({ namespace, log: { message, error } }) =>
    log.debug({ namespace, ...(typeof error === "string" && { error }) }, message);
