import { comparePositions, positionColumn } from "@colloquy/infra/database/positions.ts";
import type { EventStore, StoredEvent } from "@colloquy/infra/event-store/client.ts";
import { createMailbox } from "@colloquy/infra/mailbox.ts";
import type { Kysely, Transaction } from "kysely";
import { applyKnown, type Item, lastSeen, writeIsolating } from "../apply-batch.ts";
import type { CheckpointTables } from "../checkpoints/tables.ts";
import { renewLease } from "./lease.ts";
import { inShadow, type Shadow } from "./shadow.ts";

/** Events of one transaction: more than a live projection takes at once, because nobody waits to read them. */
const batchSize = 1_000;
const readAhead = 2 * batchSize;
/** How long a batch may take to fill. */
const gatherMs = 50;

interface FillOptions {
  shadows: readonly Shadow[];
  /** Writes to each shadow within this, or in transactions of their own. */
  database: Kysely<CheckpointTables>;
  store: Pick<EventStore, "subscribe">;
  owner: string;
  /** How far to go: "end" for as far as there is, or for each shadow up to its position (inclusive). */
  to: "end" | ((shadow: Shadow) => string | null);
  /** Of the events up to there, those to write; by default all. */
  wanted?: (event: StoredEvent) => boolean;
  signal: AbortSignal;
  onProgress?: () => void;
}

type Arrival = { event: StoredEvent } | { passed: string } | "caught up";

/**
 * Reads events once, from the shadow that stands furthest back, and writes to each shadow those that are its own.
 * @throws {EventRefused} {LeaseLost}; the signal's reason when it aborts
 */
export async function fill(options: FillOptions): Promise<void> {
  const { shadows, store, signal, to } = options;
  const target = (shadow: Shadow): string | null => (to === "end" ? null : to(shadow));
  const wanting = shadows.filter((shadow) => to === "end" || isBehind(shadow.position, target(shadow)));
  if (wanting.length === 0) return;
  const last = to === "end" ? null : highest(wanting.map(target));
  const enough = (position: string): boolean => last !== null && comparePositions(position, last) >= 0;
  const round = new AbortController();
  const box = createMailbox<Arrival>(readAhead);
  const bring = async (): Promise<void> => {
    const events = store.subscribe({
      from: lowest(wanting.map(({ position }) => position)),
      prefixes: [...new Set(wanting.flatMap(({ projection }) => projection.streams))],
      signal: AbortSignal.any([signal, round.signal]),
      onCaughtUp: () => void box.put("caught up", true),
      onCheckpoint: (passed) => void box.put({ passed }),
    });
    for await (const event of events) {
      const full = box.put({ event });
      if (full) await full;
    }
  };
  const bringing = bring().then(
    () => box.end(),
    (error) => box.end(error),
  );
  try {
    for (let done = false; !done; ) {
      const arrived = await box.take(batchSize, gatherMs);
      signal.throwIfAborted();
      done = arrived.some((one) => one === "caught up" || enough("event" in one ? one.event.position : one.passed));
      const items = arrived.filter((one) => one !== "caught up");
      for (const shadow of wanting) await advance(options, shadow, target(shadow), items);
      options.onProgress?.();
      if (arrived.length === 0) throw new Error("The events ended before their end.");
    }
    // Behind the last event of its own, nothing is left up to the target.
    for (const shadow of wanting) shadow.position = highest([shadow.position, target(shadow)]);
  } finally {
    round.abort();
    while ((await box.take(readAhead).catch(() => [])).length > 0);
    await bringing;
  }
}

/** Writes what a batch has for one shadow, with how far it has come, in one transaction. */
async function advance(options: FillOptions, shadow: Shadow, target: string | null, arrived: readonly Item[]): Promise<void> {
  const { database, owner, signal, wanted = () => true } = options;
  const { projection } = shadow;
  const items = arrived.filter((item) => {
    if (!("event" in item)) return false;
    const { stream, position } = item.event;
    if (!isBehind(shadow.position, position) || (target !== null && isBehind(target, position))) return false;
    return projection.streams.some((prefix) => stream.startsWith(prefix)) && wanted(item.event);
  });
  const write = async (some: readonly Item[]): Promise<void> => {
    const position = lastPosition(some) ?? shadow.position;
    const events = shadow.events + some.length;
    const apply = async (tx: Transaction<CheckpointTables>): Promise<void> => {
      await applyKnown(projection, inShadow(tx, projection, shadow.generation) as unknown as Transaction<object>, some);
      await renewLease(tx, projection.name, owner, { position, events });
    };
    if (database.isTransaction) await apply(database as Transaction<CheckpointTables>);
    else await database.transaction().execute(apply);
    shadow.position = position;
    shadow.seen = lastSeen(some) ?? shadow.seen;
    shadow.events = events;
  };
  if (items.length > 0) await writeIsolating(items, write, signal);
}

function lastPosition(items: readonly Item[]): string | null {
  const last = items.at(-1);
  return last && "event" in last ? last.event.position : null;
}

/** Whether there is something between `position` and `other`, a place further on. */
function isBehind(position: string | null, other: string | null): boolean {
  return positionColumn(position) < positionColumn(other);
}

function highest(positions: readonly (string | null)[]): string | null {
  return positions.reduce((best, one) => (isBehind(best, one) ? one : best), null);
}

function lowest(positions: readonly (string | null)[]): string | null {
  return positions.reduce((best, one) => (isBehind(one, best) ? one : best));
}
