import { abortable } from "@colloquy/infra/abortable.ts";
import { comparePositions } from "@colloquy/infra/database/positions.ts";
import { type EventStore, type StoredEvent, StoreIsOlder } from "@colloquy/infra/event-store/client.ts";
import type { TopicPartition } from "@colloquy/infra/kafka/group.ts";
import { isAt } from "@colloquy/infra/kafka/layout.ts";
import type { RelayedEvent } from "@colloquy/infra/kafka/records.ts";
import type { KafkaSettings } from "@colloquy/infra/kafka/settings.ts";

/** A lane that gets nothing from Kafka for so long though the relay has been further reads the event store instead. */
const stalledMs = 3_000;

/** The events of one partition for one projection, in the shape in which its runner reads the event store. */
export interface LaneSource extends Pick<EventStore, "subscribe" | "head" | "next"> {
  /** Hands over what Kafka brought, in its order; what came before is recognised. */
  put(relayed: RelayedEvent): void;
  /** How many events wait. */
  waiting(): number;
  /** Whether somebody takes them, or will. */
  wanted(): boolean;
}

interface Options {
  place: TopicPartition;
  settings: Pick<KafkaSettings, "prefix" | "partitions">;
  store: Pick<EventStore, "readAll" | "head" | "next" | "assertSameStore">;
  /** Position of the last event that the relay says it has put into this partition. */
  relayed: () => string | null;
  stalledMs?: number;
}

/**
 * Each record names the position of the one before it in its partition. Whenever the lane does not hold that one (records ran out,
 * were deleted, went to a reader that failed) everything in between is read from the event store: nothing depends on Kafka's keeping it.
 */
export function laneSource(options: Options): LaneSource {
  const { place, settings, store, relayed } = options;
  const stallMs = options.stalledMs ?? stalledMs;
  let queue: RelayedEvent[] = [];
  /** Of the last event Kafka brought. */
  let brought: string | null = null;
  let open = true;
  let wake: () => void = () => undefined;

  /** This partition's events behind a position as the event store has them, up to another (inclusive). */
  async function* stored(prefixes: string[], from: string | null, to: string | null): AsyncGenerator<StoredEvent, void, void> {
    for await (const event of store.readAll({ prefixes, ...(from !== null && { from }) })) {
      if (to !== null && comparePositions(event.position, to) > 0) return;
      if (isAt(settings, place, event.stream)) yield event;
    }
  }

  async function arrival(signal: AbortSignal, ms: number | null): Promise<void> {
    if (queue.length > 0 || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = ms === null ? undefined : setTimeout(resolve, ms);
      const go = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", go);
        resolve();
      };
      wake = go;
      signal.addEventListener("abort", go, { once: true });
    });
    wake = () => undefined;
  }

  const isBehind = (position: string | null, other: string | null): boolean =>
    other !== null && (position === null || comparePositions(position, other) < 0);

  return {
    put(one) {
      if (!isBehind(brought, one.event.position)) return;
      brought = one.event.position;
      if (!open) return;
      queue.push(one);
      wake();
    },
    waiting: () => queue.length,
    wanted: () => open,

    async *subscribe({ from, seen, prefixes, signal, onCaughtUp, onCheckpoint }) {
      if (from === "end") throw new RangeError("A lane is read from a position.");
      const head = await abortable(store.head(), signal);
      if (from !== null && isBehind(head, from)) throw new StoreIsOlder(from, head);
      if (seen) await abortable(store.assertSameStore(seen), signal);
      open = true;
      let at = from;
      let told = false;
      try {
        while (!signal.aborted) {
          const next = queue.shift();
          // What was brought to an earlier subscription is not brought again.
          const upTo = next ? next.after : brought;
          if (isBehind(at, upTo) && (!next || isBehind(at, next.event.position)))
            for await (const event of stored(prefixes, at, upTo)) {
              if (signal.aborted) return;
              at = event.position;
              yield event;
            }
          // What the store has no more is nothing to wait for.
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
          if (!behind && !told) onCaughtUp?.();
          told ||= !behind;
          const known = relayed();
          await arrival(signal, stallMs);
          if (queue.length > 0 || signal.aborted || !isBehind(at, known)) continue;
          for await (const event of stored(prefixes, at, known)) {
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
    next: (options) => store.next({ ...options, wanted: ({ stream }) => isAt(settings, place, stream) }),
  };
}
