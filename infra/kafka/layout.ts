import { isBookkeeping } from "@colloquy/schemas/events/bookkeeping.ts";
import type { KafkaSettings } from "./settings.ts";

/**
 * The place of an event: topic by category (the stream's name before its first `-`), partition by stream. Relay and consumers compute both
 * alike, so that a consumer can read from the event store what its partition no longer has.
 */

type Layout = Pick<KafkaSettings, "prefix" | "partitions">;

export const categoryOf = (stream: string): string => {
  const end = stream.indexOf("-");
  return end < 0 ? stream : stream.slice(0, end);
};

/** Whether the events of a stream are copied: not the store's own, and not bookkeeping that has no readers. */
export const isCopied = (stream: string): boolean => !stream.startsWith("$") && !isBookkeeping(stream);

/** Kafka allows letters, digits, `.`, `_` and `-`; other characters become `_`, so categories may share a topic. */
export const topicOf = ({ prefix }: Pick<Layout, "prefix">, category: string): string =>
  `${prefix}.${category.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 150) || "_"}`;

/** The topic, of one partition, with the relay's progress. No category's topic has this name, because `.` is replaced in those. */
export const marksTopicOf = ({ prefix }: Pick<Layout, "prefix">): string => `${prefix}.relay.marks`;

/** The partition of a stream: murmur2, as every Kafka client computes it from the key by default. */
export const partitionOf = ({ partitions }: Pick<Layout, "partitions">, stream: string): number =>
  (murmur2(Buffer.from(stream)) & 0x7fffffff) % partitions;

/** Whether a stream's events are in a partition of a topic. */
export const isAt = (layout: Layout, place: { topic: string; partition: number }, stream: string): boolean =>
  topicOf(layout, categoryOf(stream)) === place.topic && partitionOf(layout, stream) === place.partition;

const multiplier = 0x5bd1e995;

/** MurmurHash2 (Austin Appleby, public domain), with Kafka's seed. */
function murmur2(bytes: Uint8Array): number {
  const { length } = bytes;
  let hash = 0x9747b28c ^ length;
  const byte = (index: number): number => bytes[index] ?? 0;
  const whole = length & ~3;
  for (let index = 0; index < whole; index += 4) {
    let word = byte(index) | (byte(index + 1) << 8) | (byte(index + 2) << 16) | (byte(index + 3) << 24);
    word = Math.imul(word, multiplier);
    word ^= word >>> 24;
    hash = Math.imul(hash, multiplier) ^ Math.imul(word, multiplier);
  }
  const rest = length - whole;
  if (rest === 3) hash ^= byte(whole + 2) << 16;
  if (rest >= 2) hash ^= byte(whole + 1) << 8;
  if (rest >= 1) hash = Math.imul(hash ^ byte(whole), multiplier);
  hash = Math.imul(hash ^ (hash >>> 13), multiplier);
  return hash ^ (hash >>> 15);
}
