import { setTimeout as pause } from "node:timers/promises";
import { comparePositions } from "@colloquy/infra/database/positions.ts";
import { type EventStore, eventIdFrom } from "@colloquy/infra/event-store/client.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { annotationEventTypes } from "@colloquy/schemas/events/annotation.ts";
import { sweepStream } from "@colloquy/schemas/events/bookkeeping.ts";
import { conversationEventTypes } from "@colloquy/schemas/events/conversation.ts";
import { explainerErased, explainerStreamPrefix } from "@colloquy/schemas/events/explainer.ts";
import { learnerErased } from "@colloquy/schemas/events/learner.ts";
import { personalStreamPrefixes } from "@colloquy/schemas/events/personal.ts";

/** Between two sweeps: how long text may stay whose deletion was interrupted while this process lived on. Milliseconds. */
const sweepEveryMs = 600_000;
/** Events looked at between two notes of the position. */
const noteEvery = 5_000;
/** Events before which nothing of their stream may stay. */
const deletions: ReadonlySet<string> = new Set([
  conversationEventTypes.deleted,
  annotationEventTypes.deleted,
  explainerErased,
  learnerErased,
]);
const retryMs = { first: 1_000, longest: 60_000 };

interface SweepOptions {
  store: EventStore;
  log: Logger;
  signal: AbortSignal;
}

/** Sweeps at once and then from time to time, until the signal: meant to run beside the command API's other work. */
export async function keepSweepingDeleted(options: SweepOptions & { everyMs?: number }): Promise<void> {
  const { signal, everyMs = sweepEveryMs } = options;
  while (!signal.aborted) {
    await sweepDeletedConversations(options);
    await pause(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/**
 * Finishes deletions that were interrupted between the event and the truncation of its stream: looks at every event of the personal domains
 * since the last sweep, again and again until the store lets it. Returns how many streams it truncated.
 */
export async function sweepDeletedConversations(options: SweepOptions): Promise<number> {
  const { log, signal } = options;
  for (let wait = retryMs.first; ; wait = Math.min(wait * 2, retryMs.longest)) {
    try {
      return await sweep(options);
    } catch (error) {
      if (signal.aborted) return 0;
      log.warn({ err: error }, "the sweep of deleted conversations was interrupted and starts again");
      await pause(wait, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return 0;
    }
  }
}

async function sweep({ store, log, signal }: SweepOptions): Promise<number> {
  let from: string | null = null;
  for await (const note of store.read(sweepStream, { direction: "backwards", limit: 1 })) from = noted(note.data);
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
    if (seen % noteEvery === 0) await note(store, event.position);
  }
  await note(store, position);
  if (truncated > 0) log.info({ truncated }, "interrupted deletions were finished");
  return truncated;
}

/** Of the last event that is no note of ours, so that a note alone is no reason for another. */
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

function noted(data: unknown): string | null {
  return typeof data === "object" && data !== null && "position" in data && typeof data.position === "string" ? data.position : null;
}
