import { setTimeout as pause } from "node:timers/promises";
import type { SeenEvent, StoredEvent } from "@colloquy/infra/event-store/client.ts";
import type { Transaction } from "kysely";
import type { Projection } from "./projection.ts";

/** Tries an event gets before it counts as refused: a database may be in trouble for a moment. */
const triesPerEvent = 3;
const firstPauseMs = 100;

/** An event that its projection could not handle. */
export class EventRefused extends Error {
  override name = "EventRefused";
  readonly event: StoredEvent;
  constructor(event: StoredEvent, cause: unknown) {
    super(`${event.type} could not be applied`, { cause });
    this.event = event;
  }
}

/** The rows of a batch could not be written; which event is at fault shows when they come one at a time. */
class BatchFailed extends Error {
  override name = "BatchFailed";
}

/** What one who reads for a projection brings: an event, a position behind which nothing of its own is left, or the news that the rest is live. */
export type Item = { event: StoredEvent } | { passed: string } | { caughtUp: true };

export const positionAt = (items: readonly Item[]): string | null => {
  const last = items.findLast((item) => !("caughtUp" in item));
  return last === undefined ? null : "event" in last ? last.event.position : "passed" in last ? last.passed : null;
};

/** The last event of a batch. */
export function lastSeen(items: readonly Item[]): SeenEvent | null {
  const last = items.findLast((item) => "event" in item);
  return last && "event" in last ? { position: last.event.position, id: last.event.id } : null;
}

/** Gives a projection those events of a batch it understands. */
export async function applyKnown(projection: Projection, tx: Transaction<object>, items: readonly Item[]): Promise<void> {
  const events = items.flatMap((item) => ("event" in item && projection.events.includes(item.event.type) ? [item.event] : []));
  if (events.length === 0) return;
  const broken = events.find(({ unreadable }) => unreadable !== undefined);
  try {
    if (broken) throw new TypeError(broken.unreadable);
    await projection.apply(tx, events);
  } catch (cause) {
    const [only, ...others] = events;
    throw only && others.length === 0 ? new EventRefused(only, cause) : new BatchFailed("a batch could not be applied", { cause });
  }
}

/**
 * Writes items by `write` (a transaction of its own each time, which applies them by `applyKnown`): all at once, and when that fails,
 * one after the other, so that everything before an event that cannot be handled is written.
 * @throws {EventRefused} for an event that cannot be handled even alone, after a few tries
 */
export async function writeIsolating(
  items: readonly Item[],
  write: (items: readonly Item[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  try {
    return await write(items);
  } catch (error) {
    if (!(error instanceof BatchFailed || error instanceof EventRefused)) throw error;
  }
  for (const item of items) {
    for (let tries = 1; ; tries += 1) {
      try {
        await write([item]);
        break;
      } catch (error) {
        if (!(error instanceof EventRefused) || tries >= triesPerEvent) throw error;
        await pause(firstPauseMs * tries, undefined, { signal });
      }
    }
  }
}
