import { purgingEventTypes } from "@colloquy/schemas/events/purging.ts";
import type { StoredEvent } from "../../event-store/events.ts";
import type { OutgoingRecord } from "../client.ts";
import { categoryOf, marksTopicOf, partitionOf, topicOf } from "../layout.ts";
import { recordOf } from "../records.ts";
import { type LastPositions, type Mark, markKey, type Progress, writeMark } from "../relay-mark.ts";
import type { KafkaSettings } from "../settings.ts";

const purging = new Set(purgingEventTypes);

/** Limits of one send: events, and bytes of records after which it is full. A topic accepts 4 MiB at once; an event has up to 1 MiB. */
const mostEvents = 2_000;
const mostBytes = 1_000_000;

export interface Batch {
  topics: Map<string, OutgoingRecord[]>;
  /** The number of events in it. */
  taken: number;
  /** The progress once all of it is acknowledged. */
  progress: Progress;
  /** The deletion events, by index from the first record of their partition in this batch; earlier records are to be deleted. */
  deletions: { topic: string; partition: number; index: number }[];
}

/** The records of the events after `before`, in order: as many as fit, at least one. */
export function batchOf(settings: Pick<KafkaSettings, "prefix" | "partitions">, before: Progress, events: readonly StoredEvent[]): Batch {
  const topics = new Map<string, OutgoingRecord[]>();
  const last: LastPositions = Object.fromEntries(Object.entries(before.last).map(([topic, positions]) => [topic, [...positions]]));
  const counts = new Map<string, number>();
  const deletions: Batch["deletions"] = [];
  let { position, seen } = before;
  let taken = 0;
  let bytes = 0;
  for (const event of events) {
    if (taken >= mostEvents || bytes >= mostBytes) break;
    const topic = topicOf(settings, categoryOf(event.stream));
    const partition = partitionOf(settings, event.stream);
    last[topic] ??= Array.from({ length: settings.partitions }, () => null);
    const records = topics.get(topic) ?? [];
    topics.set(topic, records);
    const record = recordOf(event, last[topic][partition] ?? null);
    records.push({ ...record, partition });
    position = last[topic][partition] = event.position;
    seen = { position, id: event.id };
    taken += 1;
    bytes += bytesOf(record);
    const place = `${topic}/${partition}`;
    const index = counts.get(place) ?? 0;
    counts.set(place, index + 1);
    if (purging.has(event.type)) deletions.push({ topic, partition, index });
  }
  return { topics, taken, progress: { position, last, ...(seen && { seen }) }, deletions };
}

const bytesOf = ({ key, value, headers }: ReturnType<typeof recordOf>): number =>
  [key, value, ...Object.entries(headers).flat()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);

/** Adds the mark to the records. */
export function withMark(settings: Pick<KafkaSettings, "prefix">, topics: Batch["topics"], mark: Mark): Batch["topics"] {
  return new Map([...topics, [marksTopicOf(settings), [{ key: markKey, value: writeMark(mark), partition: 0 }]]]);
}
