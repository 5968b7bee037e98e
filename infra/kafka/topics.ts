import type { TopicSpec } from "./client.ts";
import { marksTopicOf, topicOf } from "./layout.ts";
import type { KafkaSettings } from "./settings.ts";

const hourMs = 3_600_000;
/** A segment is closed after this time, so that deleted records can be removed from disk with it. */
export const segmentMs = 600_000;
/** The largest event (1 MiB and its metadata) and what the relay sends beside it fit in one write. */
const largestBytes = 4_194_304;

/** Topics of copied events, with limited retention: the event store is the permanent record. */
export function eventTopics(settings: KafkaSettings, categories: Iterable<string>): TopicSpec[] {
  const names = new Set([...categories].map((category) => topicOf(settings, category)));
  return [...names].map((name) => ({
    name,
    partitions: settings.partitions,
    config: {
      "cleanup.policy": "delete",
      "retention.ms": String(settings.retentionHours * hourMs),
      "segment.ms": String(segmentMs),
      "max.message.bytes": String(largestBytes),
    },
  }));
}

/** Only the relay's last mark matters. */
export const marksTopic = (settings: KafkaSettings): TopicSpec => ({
  name: marksTopicOf(settings),
  partitions: 1,
  config: { "cleanup.policy": "compact", "segment.ms": String(segmentMs), "min.cleanable.dirty.ratio": "0.1" },
});
