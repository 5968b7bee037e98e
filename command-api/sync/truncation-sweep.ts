import { setTimeout as pause } from "node:timers/promises";
import { rethrowRetryable } from "@colloquy/infra/backoff.ts";
import { type EventStore, eventIdFrom } from "@colloquy/infra/event-store/client.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { annotationEventTypes } from "@colloquy/schemas/annotations/events.ts";
import { conversationEventTypes } from "@colloquy/schemas/conversations/event-types.ts";
import { sweepEvents, sweepStream } from "@colloquy/schemas/events/bookkeeping.ts";
import { personalStreamPrefixes } from "@colloquy/schemas/events/personal.ts";
import { explainerErased, explainerStreamPrefix } from "@colloquy/schemas/explainers/events.ts";
import { learnerErased } from "@colloquy/schemas/learner/events.ts";
import { comparePositions } from "@colloquy/schemas/positions.ts";
import pRetry from "p-retry";

/** Between two sweeps (ms): how long text can stay after an interrupted deletion. */
const sweepEveryMs = 600_000;
/** Events between two saved positions. */
const saveEvery = 5_000;
/** Events that erase the stream before them. */
const deletions: ReadonlySet<string> = new Set([
  conversationEventTypes.deleted,
  annotationEventTypes.deleted,
  explainerErased,
  learnerErased,
]);
const sweepRetry = { retries: Number.POSITIVE_INFINITY, minTimeout: 1_000, maxTimeout: 60_000 };

interface SweepOptions {
  store: EventStore;
  log: Logger;
  signal: AbortSignal;
}

/** Sweeps now and then every `everyMs`, until the signal. */
export async function sweepPeriodically(options: SweepOptions & { everyMs?: number }): Promise<void> {
  const { signal, everyMs = sweepEveryMs } = options;
  while (!signal.aborted) {
    await sweepInterruptedDeletions(options);
    await pause(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/**
 * Finishes deletions that were interrupted between the event and the truncation of its stream: reads the events of personal streams since
 * the last sweep, and retries until the signal. Returns the number of truncated streams.
 */
export async function sweepInterruptedDeletions(options: SweepOptions): Promise<number> {
  const { log, signal } = options;
  const onFailedAttempt = ({ error }: { error: Error }): void =>
    log.warn({ err: error }, "the sweep of interrupted deletions failed and is retried");
  try {
    return await pRetry(() => sweep(options).catch(rethrowRetryable), { ...sweepRetry, signal, onFailedAttempt });
  } catch (error) {
    if (signal.aborted) return 0;
    throw error;
  }
}

async function sweep({ store, log, signal }: SweepOptions): Promise<number> {
  let from: string | null = null;
  for await (const saved of store.read(sweepStream, { direction: "backwards", limit: 1 })) from = sweepEvents.parse(saved).data.position;
  const newest = await newestPosition(store);
  if (newest === null || (from !== null && comparePositions(newest, from) <= 0)) return 0;
  let position = newest;
  let seen = 0;
  let truncated = 0;
  for await (const event of store.readAll({
    ...(from !== null && { from }),
    prefixes: [...personalStreamPrefixes, explainerStreamPrefix],
  })) {
    if (signal.aborted) return truncated;
    if (deletions.has(event.type) && event.revision > 0 && (await holdsMoreThan(store, event.stream, event.revision))) {
      await store.truncateBefore(event.stream, event.revision);
      truncated += 1;
    }
    if (comparePositions(event.position, newest) > 0) position = event.position;
    seen += 1;
    if (seen % saveEvery === 0) await note(store, event.position);
  }
  await note(store, position);
  if (truncated > 0) log.info({ truncated }, "interrupted deletions were finished");
  return truncated;
}

/** Of the last event that is not a saved position: a saved position alone needs no sweep. */
async function newestPosition(store: EventStore): Promise<string | null> {
  for await (const { stream, position } of store.readAll({ direction: "backwards", limit: 2 })) if (stream !== sweepStream) return position;
  return null;
}

async function holdsMoreThan(store: EventStore, stream: string, revision: number): Promise<boolean> {
  for await (const first of store.read(stream, { limit: 1 })) return first.revision < revision;
  return false;
}

async function note(store: EventStore, position: string): Promise<void> {
  const metadata = { accountId: "acc_system", requestId: `sweep-${position}`, correlationId: `sweep-${position}` };
  const id = eventIdFrom(sweepStream, position);
  const { revision } = await store.append(
    sweepStream,
    [{ id, type: "DeletionsSwept", data: { schemaVersion: 1, position }, metadata }],
    "any",
  );
  await store.truncateBefore(sweepStream, revision);
}
