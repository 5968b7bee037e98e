import { abortable } from "@colloquy/infra/abortable.ts";
import { type EventStore, type StoredEvent, StoreIsOlder } from "@colloquy/infra/event-store/client.ts";
import type { TopicPartition } from "@colloquy/infra/kafka/group.ts";
import { isAt } from "@colloquy/infra/kafka/layout.ts";
import type { RelayedEvent } from "@colloquy/infra/kafka/records.ts";
import type { KafkaSettings } from "@colloquy/infra/kafka/settings.ts";
import { comparePositions } from "@colloquy/schemas/positions.ts";

/** If the relay is ahead and Kafka delivers nothing for this long, the lane reads the event store instead. */
const stallTimeoutMs = 3_000;

/** The events of one partition for one projection, behind the interface of the event store that its runner reads. */
export interface LaneSource extends Pick<EventStore, "subscribe" | "head" | "next" | "assertSameStore"> {
  /** Takes a record from Kafka, in order; repeated records are ignored. */
  receive(relayed: RelayedEvent): void;
  /** How many events wait in memory. */
  queued(): number;
  /** Whether a runner reads from it, or will. */
  isOpen(): boolean;
}

interface Options {
  place: TopicPartition;
  settings: Pick<KafkaSettings, "prefix" | "partitions">;
  store: Pick<EventStore, "readAll" | "head" | "next" | "assertSameStore">;
  /** Position of the last event that the relay has written to this partition, by its own account. */
  relayed: () => string | null;
  stallTimeoutMs?: number;
}

/**
 * Each record names the position of its predecessor in the partition. If the lane has not seen the predecessor (records expired, were
 * deleted or went to a failed reader), it reads the events in between from the event store, so it does not depend on Kafka's retention.
 */
export function laneSource(options: Options): LaneSource {
  const { place, settings, store, relayed } = options;
  const stallMs = options.stallTimeoutMs ?? stallTimeoutMs;
  let queue: RelayedEvent[] = [];
  /** Position of the last event from Kafka. */
  let lastReceived: string | null = null;
  let open = true;
  let wake: () => void = () => undefined;

  /** This partition's events in the event store, after one position up to another (inclusive). */
  async function* readStore(prefixes: string[], from: string | null, to: string | null): AsyncGenerator<StoredEvent, void, void> {
    for await (const event of store.readAll({ prefixes, ...(from !== null && { from }) })) {
      if (to !== null && comparePositions(event.position, to) > 0) return;
      if (isAt(settings, place, event.stream)) yield event;
    }
  }

  async function waitForRecord(signal: AbortSignal, ms: number | null): Promise<void> {
    if (queue.length > 0 || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = ms === null ? undefined : setTimeout(resolve, ms);
      const finish = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", finish);
        resolve();
      };
      wake = finish;
      signal.addEventListener("abort", finish, { once: true });
    });
    wake = () => undefined;
  }

  const isBehind = (position: string | null, other: string | null): boolean =>
    other !== null && (position === null || comparePositions(position, other) < 0);

  return {
    receive(one) {
      if (!isBehind(lastReceived, one.event.position)) return;
      lastReceived = one.event.position;
      if (!open) return;
      queue.push(one);
      wake();
    },
    queued: () => queue.length,
    isOpen: () => open,

    async *subscribe({ from, seen, prefixes, signal, onCaughtUp, onCheckpoint }) {
      if (from === "end") throw new RangeError("A lane is read from a position.");
      const head = await abortable(store.head(), signal);
      if (from !== null && isBehind(head, from)) throw new StoreIsOlder(from, head);
      if (seen) await abortable(store.assertSameStore(seen), signal);
      open = true;
      let at = from;
      let isAnnounced = false;
      try {
        while (!signal.aborted) {
          const next = queue.shift();
          // Kafka does not repeat what it delivered to an earlier subscription.
          const upTo = next ? next.after : lastReceived;
          if (isBehind(at, upTo) && (!next || isBehind(at, next.event.position)))
            for await (const event of readStore(prefixes, at, upTo)) {
              if (signal.aborted) return;
              at = event.position;
              yield event;
            }
          // Events that the store has truncated will not come.
          if (upTo !== null && isBehind(at, upTo) && (!next || isBehind(at, next.event.position))) {
            at = upTo;
            onCheckpoint?.(at);
          }
          if (next) {
            if (!isBehind(at, next.event.position)) continue;
            at = next.event.position;
            if (prefixes.some((prefix) => next.event.stream.startsWith(prefix))) yield next.event;
            else onCheckpoint?.(at);
            continue;
          }
          const behind = isBehind(at, relayed());
          if (!behind && !isAnnounced) onCaughtUp?.();
          isAnnounced ||= !behind;
          const known = relayed();
          await waitForRecord(signal, stallMs);
          if (queue.length > 0 || signal.aborted || !isBehind(at, known)) continue;
          for await (const event of readStore(prefixes, at, known)) {
            if (signal.aborted) return;
            at = event.position;
            yield event;
          }
          if (isBehind(at, known) && known !== null) {
            at = known;
            onCheckpoint?.(at);
          }
        }
      } finally {
        open = false;
        queue = [];
      }
    },
    head: store.head,
    assertSameStore: store.assertSameStore,
    next: (options) => store.next({ ...options, wanted: ({ stream }) => isAt(settings, place, stream) }),
  };
}
