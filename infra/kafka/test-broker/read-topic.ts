import { Kafka, logLevel } from "../kafkajs.ts";

/** A record as any other program would read it. */
export interface TopicRecord {
  partition: number;
  offset: number;
  key: string;
  value: string;
  headers: Record<string, string>;
}

/** Every record a topic has now, in the order of its partitions; by a plain consumer that knows nothing of this program. */
export async function readTopic(broker: string, topic: string): Promise<TopicRecord[]> {
  const client = new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING });
  const admin = client.admin();
  await admin.connect();
  const ends = new Map((await admin.fetchTopicOffsets(topic)).map(({ partition, low, high }) => [partition, { low: +low, high: +high }]));
  const left = new Set([...ends].filter(([, { low, high }]) => high > low).map(([partition]) => partition));
  const records: TopicRecord[] = [];
  const done = Promise.withResolvers<void>();
  const consumer = client.consumer({ groupId: `test-${crypto.randomUUID()}`, maxWaitTimeInMs: 100 });
  if (left.size > 0) {
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatch: async ({ batch: { partition, messages } }) => {
        for (const { offset, key, value, headers } of messages)
          records.push({
            partition,
            offset: Number(offset),
            key: String(key),
            value: String(value),
            headers: Object.fromEntries(Object.entries(headers ?? {}).map(([name, one]) => [name, String(one)])),
          });
        if (Number(messages.at(-1)?.offset) + 1 >= (ends.get(partition)?.high ?? 0)) left.delete(partition);
        if (left.size === 0) done.resolve();
      },
    });
    await done.promise;
    await consumer.disconnect();
  }
  await admin.disconnect();
  return records.toSorted((a, b) => a.partition - b.partition || a.offset - b.offset);
}

/** What is left when a consumer drops, by position, what it has had before. */
export function withoutRepeated(records: readonly TopicRecord[]): TopicRecord[] {
  const had = new Map<number, bigint>();
  return records.filter(({ partition, headers }) => {
    const position = BigInt(headers.position ?? -1);
    if (position <= (had.get(partition) ?? -1n)) return false;
    had.set(partition, position);
    return true;
  });
}
