import { positionColumn } from "@colloquy/infra/database/positions.ts";
import type { EventStore, StoredEvent } from "@colloquy/infra/event-store/client.ts";
import { createMailbox } from "@colloquy/infra/mailbox.ts";
import { comparePositions } from "@colloquy/schemas/positions.ts";
import type { Kysely, Transaction } from "kysely";
import { applyKnownEvents, type BatchItem, lastEvent, lastPosition, writeIsolatingFailures } from "../apply-batch.ts";
import type { CheckpointTables } from "../checkpoints/tables.ts";
import { renewLease } from "./lease.ts";
import { inShadow, type Shadow } from "./shadow.ts";

/** Events of one transaction; more than for live rows, because no reader waits for these. */
const batchSize = 1_000;
const readAhead = 2 * batchSize;
/** How long a batch may take to fill. */
const gatherMs = 50;

interface FillOptions {
  shadows: readonly Shadow[];
  /** If this is a transaction, everything is written in it; otherwise each batch has its own. */
  database: Kysely<CheckpointTables>;
  store: Pick<EventStore, "subscribe">;
  owner: string;
  /** "end", or for each shadow the position up to which to read (inclusive). */
  to: "end" | ((shadow: Shadow) => string | null);
  /** Which of these events to write; by default all. */
  wanted?: (event: StoredEvent) => boolean;
  signal: AbortSignal;
  onProgress?: () => void;
}

type Arrival = { event: StoredEvent } | { checkpoint: string } | "caught up";

/**
 * Reads the events once, from the lowest position of all shadows, and writes to each shadow the events of its projection.
 * @throws {ApplyEventError} {LeaseLost}; the signal's reason when it aborts
 */
export async function fill(options: FillOptions): Promise<void> {
  const { shadows, store, signal, to } = options;
  const target = (shadow: Shadow): string | null => (to === "end" ? null : to(shadow));
  const behind = shadows.filter((shadow) => to === "end" || isBehind(shadow.position, target(shadow)));
  if (behind.length === 0) return;
  const last = to === "end" ? null : highest(behind.map(target));
  const isPastEnd = (position: string): boolean => last !== null && comparePositions(position, last) >= 0;
  const subscription = new AbortController();
  const received = createMailbox<Arrival>(readAhead);
  const receive = async (): Promise<void> => {
    const events = store.subscribe({
      from: lowest(behind.map(({ position }) => position)),
      prefixes: [...new Set(behind.flatMap(({ projection }) => projection.streams))],
      signal: AbortSignal.any([signal, subscription.signal]),
      onCaughtUp: () => void received.put("caught up", true),
      onCheckpoint: (position) => void received.put({ checkpoint: position }),
    });
    for await (const event of events) {
      const full = received.put({ event });
      if (full) await full;
    }
  };
  const receiving = receive().then(
    () => received.end(),
    (error) => received.end(error),
  );
  try {
    for (let done = false; !done; ) {
      const arrived = await received.take(batchSize, gatherMs);
      signal.throwIfAborted();
      done = arrived.some((one) => one === "caught up" || isPastEnd("event" in one ? one.event.position : one.checkpoint));
      const items = arrived.filter((one) => one !== "caught up");
      for (const shadow of behind) await advance(options, shadow, target(shadow), items);
      options.onProgress?.();
      if (arrived.length === 0) throw new Error("The subscription ended before the last event.");
    }
    // Between its last event and the target the projection has no events.
    for (const shadow of behind) shadow.position = highest([shadow.position, target(shadow)]);
  } finally {
    subscription.abort();
    while ((await received.take(readAhead).catch(() => [])).length > 0);
    await receiving;
  }
}

/** Writes the events of a batch that belong to one shadow, together with its progress, in one transaction. */
async function advance(options: FillOptions, shadow: Shadow, target: string | null, arrived: readonly BatchItem[]): Promise<void> {
  const { database, owner, signal, wanted = () => true } = options;
  const { projection } = shadow;
  const items = arrived.filter((item) => {
    if (!("event" in item)) return false;
    const { stream, position } = item.event;
    if (!isBehind(shadow.position, position) || (target !== null && isBehind(target, position))) return false;
    return projection.streams.some((prefix) => stream.startsWith(prefix)) && wanted(item.event);
  });
  const write = async (some: readonly BatchItem[]): Promise<void> => {
    const position = lastPosition(some) ?? shadow.position;
    const events = shadow.events + some.length;
    const apply = async (tx: Transaction<CheckpointTables>): Promise<void> => {
      await applyKnownEvents(projection, inShadow(tx, projection, shadow.generation) as unknown as Transaction<object>, some);
      await renewLease(tx, projection.name, owner, { position, events });
    };
    if (database.isTransaction) await apply(database as Transaction<CheckpointTables>);
    else await database.transaction().execute(apply);
    shadow.position = position;
    shadow.lastEvent = lastEvent(some) ?? shadow.lastEvent;
    shadow.events = events;
  };
  if (items.length > 0) await writeIsolatingFailures(items, write, signal);
}

/** Whether `position` is before `other`; null is before every position. */
function isBehind(position: string | null, other: string | null): boolean {
  return positionColumn(position) < positionColumn(other);
}

function highest(positions: readonly (string | null)[]): string | null {
  return positions.reduce((best, one) => (isBehind(best, one) ? one : best), null);
}

function lowest(positions: readonly (string | null)[]): string | null {
  return positions.reduce((best, one) => (isBehind(one, best) ? one : best));
}
