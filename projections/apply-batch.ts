import type { SeenEvent, StoredEvent } from "@colloquy/infra/event-store/client.ts";
import type { Transaction } from "kysely";
import pRetry from "p-retry";
import type { Projection } from "./projection.ts";

/** Attempts for one event before it counts as failed: a database may be unavailable for a moment. */
const eventRetry = { retries: 2, minTimeout: 100, factor: 2 };

/** An event that its projection could not apply. */
export class ApplyEventError extends Error {
  override name = "ApplyEventError";
  readonly event: StoredEvent;
  constructor(event: StoredEvent, cause: unknown) {
    super(`${event.type} could not be applied`, { cause });
    this.event = event;
  }
}

/** A batch of several events could not be applied; applying them one at a time shows which one fails. */
class ApplyBatchError extends Error {
  override name = "ApplyBatchError";
}

/** An item of a subscription: an event, a position up to which the projection has no more events, or the notice that live events follow. */
export type BatchItem = { event: StoredEvent } | { checkpoint: string } | { caughtUp: true };

export const lastPosition = (items: readonly BatchItem[]): string | null => {
  const last = items.findLast((item) => !("caughtUp" in item));
  return last === undefined ? null : "event" in last ? last.event.position : "checkpoint" in last ? last.checkpoint : null;
};

/** The last event of a batch. */
export function lastEvent(items: readonly BatchItem[]): SeenEvent | null {
  const last = items.findLast((item) => "event" in item);
  return last && "event" in last ? { position: last.event.position, id: last.event.id } : null;
}

/** Applies the events of a batch whose types the projection knows. */
export async function applyKnownEvents(projection: Projection, tx: Transaction<object>, items: readonly BatchItem[]): Promise<void> {
  const events = items.flatMap((item) => ("event" in item && projection.events.includes(item.event.type) ? [item.event] : []));
  if (events.length === 0) return;
  try {
    await projection.apply(tx, events);
  } catch (cause) {
    const [only, ...others] = events;
    throw only && others.length === 0 ? new ApplyEventError(only, cause) : new ApplyBatchError("a batch could not be applied", { cause });
  }
}

/**
 * Writes items by `write`, which applies them in its own transaction by `applyKnownEvents`: first all together, and if that fails one by
 * one, so that everything before the failing event is written.
 * @throws {ApplyEventError} for an event that fails alone, after a few attempts
 */
export async function writeIsolatingFailures(
  items: readonly BatchItem[],
  write: (items: readonly BatchItem[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  try {
    return await write(items);
  } catch (error) {
    if (!(error instanceof ApplyBatchError || error instanceof ApplyEventError)) throw error;
  }
  const shouldRetry = ({ error }: { error: Error }): boolean => error instanceof ApplyEventError;
  for (const item of items) await pRetry(() => write([item]), { ...eventRetry, signal, shouldRetry });
}
