import { Backoff } from "../../backoff.ts";
import type { Logger } from "../../telemetry/log.ts";
import type { Kafka } from "../client.ts";
import { filler } from "../records.ts";
import type { Mark, Purge } from "../relay-mark.ts";
import { segmentMs } from "../topics.ts";

/** Deletions are gathered for so long, because each makes the brokers note a new beginning of the log; also the pause after a failure. */
const gatherMs = 1_000;
const longestPauseMs = 60_000;
/** Clocks of relays that follow each other may differ by so much. */
const clocksMs = 5_000;

export interface Purges {
  /** Records of this partition before `offset` must go. */
  add(topic: string, partition: number, purge: Purge): void;
  /** What is still to be done; goes into each mark, so that the next relay does it if this one dies. */
  pending(): Mark["purges"];
  /** Partitions that may still have deleted text on disk. */
  waiting(): number;
  /** Resolves when what was under way is done; starts nothing new. */
  close(): Promise<void>;
}

interface Options {
  kafka: Pick<Kafka, "deleteBefore" | "openProducer">;
  log: Logger;
  /** What an earlier relay left to do. */
  left?: Mark["purges"];
  /** How long until the next record opens a new segment. */
  rollAfterMs?: number;
}

interface Wanted extends Purge {
  /** Nobody can read the records any more; they may still be in a segment that takes more. */
  unreadable: boolean;
}

/**
 * Makes records that stand before a deletion go: at once unreadable; and, because brokers remove whole segments only and never the
 * one that is written to, off the disk with a record that opens a new segment when the old one has had its time. Tried until it is done.
 */
export function createPurges({ kafka, log, left = {}, rollAfterMs = segmentMs + clocksMs }: Options): Purges {
  const wanted = new Map<string, Map<number, Wanted>>();
  let timer: NodeJS.Timeout | undefined;
  let due = 0;
  let running: Promise<void> | undefined;
  let closed = false;
  const backoff = new Backoff({ firstMs: 2 * gatherMs, longestMs: longestPauseMs });
  let pauseMs = gatherMs;

  function add(topic: string, partition: number, { offset, at }: Purge): void {
    const partitions = wanted.get(topic) ?? new Map<number, Wanted>();
    const before = partitions.get(partition);
    if (!before || before.offset <= offset) partitions.set(partition, { offset, at, unreadable: false });
    wanted.set(topic, partitions);
    schedule();
  }

  const all = (): Wanted[] => [...wanted.values()].flatMap((partitions) => [...partitions.values()]);

  function schedule(): void {
    if (closed || running || wanted.size === 0) return;
    const soon = all().some(({ unreadable }) => !unreadable);
    const rolls = Math.min(...all().map(({ at }) => at + rollAfterMs - Date.now()));
    const at = Date.now() + (soon ? pauseMs : Math.max(pauseMs, rolls));
    // What comes now must not put off what waits.
    if (timer && due <= at) return;
    clearTimeout(timer);
    due = at;
    timer = setTimeout(() => (running = purge()), at - Date.now());
  }

  async function purge(): Promise<void> {
    let failed = false;
    for (const [topic, partitions] of wanted) {
      try {
        await makeUnreadable(topic, partitions);
        await roll(topic, partitions);
        if (partitions.size === 0) wanted.delete(topic);
      } catch (error) {
        failed = true;
        log.warn({ err: error, topic }, "deleted text could not be removed from a topic yet; trying again");
      }
    }
    if (!failed) backoff.reset();
    pauseMs = failed ? backoff.nextMs() : gatherMs;
    timer = running = undefined;
    schedule();
  }

  async function makeUnreadable(topic: string, partitions: Map<number, Wanted>): Promise<void> {
    const now = [...partitions].filter(([, { unreadable }]) => !unreadable);
    if (now.length === 0) return;
    await kafka.deleteBefore(topic, new Map(now.map(([partition, { offset }]) => [partition, offset])));
    for (const [partition, one] of now) if (partitions.get(partition) === one) one.unreadable = true;
  }

  async function roll(topic: string, partitions: Map<number, Wanted>): Promise<void> {
    const now = [...partitions].filter(([, { unreadable, at }]) => unreadable && at + rollAfterMs <= Date.now());
    if (now.length === 0) return;
    const producer = await kafka.openProducer();
    try {
      const placed = await producer.send(new Map([[topic, now.map(([partition]) => ({ ...filler, partition }))]]));
      await kafka.deleteBefore(topic, new Map(placed.map(({ partition, firstOffset }) => [partition, firstOffset])));
    } finally {
      await producer.close();
    }
    for (const [partition, one] of now) if (partitions.get(partition) === one) partitions.delete(partition);
  }

  for (const [topic, partitions] of Object.entries(left))
    for (const [partition, purge] of Object.entries(partitions)) add(topic, Number(partition), purge);

  return {
    add,
    pending: () =>
      Object.fromEntries(
        [...wanted].map(([topic, partitions]) => [
          topic,
          Object.fromEntries([...partitions].map(([partition, { offset, at }]) => [partition, { offset, at }])),
        ]),
      ),
    waiting: () => all().length,
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
