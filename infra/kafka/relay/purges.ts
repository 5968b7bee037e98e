import { Backoff } from "../../backoff.ts";
import type { Logger } from "../../telemetry/log.ts";
import type { Kafka } from "../client.ts";
import { filler } from "../records.ts";
import type { Mark, Purge } from "../relay-mark.ts";
import { segmentMs } from "../topics.ts";

/** Deletions are gathered for this time, because each one costs the brokers a write. */
const gatherMs = 1_000;
const longestPauseMs = 60_000;
/** How much the clocks of successive relays may differ. */
const clocksMs = 5_000;

export interface Purges {
  /** Deletes the records of this partition before `offset`. */
  add(topic: string, partition: number, purge: Purge): void;
  /** Pending deletions; written with each mark, so that the next relay continues them if this one dies. */
  pending(): Mark["purges"];
  /** Partitions that may still have deleted text on disk. */
  waiting(): number;
  /** Starts no more deletions; resolves when the running one is done. */
  close(): Promise<void>;
}

interface Options {
  kafka: Pick<Kafka, "deleteBefore" | "openProducer">;
  log: Logger;
  /** Pending deletions of an earlier relay. */
  left?: Mark["purges"];
  /** How long until the next record opens a new segment. */
  rollAfterMs?: number;
}

interface Wanted extends Purge {
  /** The records can no longer be read, but may still be in the open segment on disk. */
  unreadable: boolean;
}

/**
 * Deletes the records before a deletion event: they become unreadable at once. Brokers remove only whole, closed segments from disk, so
 * a filler record later opens a new segment. Retried until it succeeds.
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
    // A new deletion must not postpone a pending one.
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
        log.warn({ err: error, topic }, "deleted text could not be removed from a topic yet; retrying");
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
