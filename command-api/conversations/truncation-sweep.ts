import { setTimeout as pause } from "node:timers/promises";
import { type EventStore, eventIdFrom } from "@colloquy/infra/event-store/client.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { conversationStreamPrefix } from "@colloquy/schemas/events/conversation.ts";

/** Remembers how far earlier sweeps have looked; holds one event. */
const sweepStream = "sweep-deleted-conversations";
/** Events looked at between two notes of the position. */
const noteEvery = 5_000;
const retryMs = { first: 1_000, longest: 60_000 };

/**
 * Finishes deletions that a crash interrupted between the event and the truncation of its stream: looks at every conversation event
 * since the last sweep. Meant for the start of the command API, beside its other work; returns how many streams it truncated.
 */
export async function sweepDeletedConversations(options: { store: EventStore; log: Logger; signal: AbortSignal }): Promise<number> {
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

async function sweep({ store, log, signal }: { store: EventStore; log: Logger; signal: AbortSignal }): Promise<number> {
  let position: string | null = null;
  for await (const note of store.read(sweepStream, { direction: "backwards", limit: 1 })) position = noted(note.data);
  const from = position;
  let seen = 0;
  let truncated = 0;
  for await (const event of store.readAll({ ...(from !== null && { from }), prefixes: [conversationStreamPrefix] })) {
    if (signal.aborted) return truncated;
    if (event.type === "ConversationDeleted" && event.revision > 0 && (await holdsMoreThan(store, event.stream, event.revision))) {
      await store.truncateBefore(event.stream, event.revision);
      truncated += 1;
    }
    position = event.position;
    seen += 1;
    if (seen % noteEvery === 0) await note(store, position);
  }
  if (position !== null && position !== from) await note(store, position);
  if (truncated > 0) log.info({ truncated }, "interrupted deletions were finished");
  return truncated;
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
