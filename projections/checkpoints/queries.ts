import { positionColumn, positionOf } from "@colloquy/infra/database/positions.ts";
import { type EventStore, type StoredEvent, StoreIsOlder } from "@colloquy/infra/event-store/client.ts";
import { withTimeout } from "@colloquy/infra/with-timeout.ts";
import type { Kysely } from "kysely";
import { aheadOfStore, type CheckpointTables } from "./tables.ts";

export type { CheckpointTables } from "./tables.ts";

/** Any database whose read models the runner of this house fills. */
export type ReadModels<Tables extends CheckpointTables = CheckpointTables> = Kysely<Tables>;

/** The first look comes at once, the next ones after these pauses; the last repeats. Milliseconds. */
const pausesMs = [1, 1, 2, 2, 4, 4, 8, 16, 25];

/** A look that takes longer is given up and made anew, in milliseconds. */
const lookWithinMs = 2_000;

interface Waiter {
  position: string;
  resolve: (held: boolean) => void;
}
interface Watch {
  waiters: Set<Waiter>;
  looking: boolean;
}
const watches = new WeakMap<object, Map<string, Watch>>();

/**
 * Resolves true as soon as a projection has applied the event at `position` (decimal), false when it has not within `timeoutMs`
 * or `signal` aborts. All who wait for one projection share one look at the database; nobody waiting, nobody looks.
 */
export async function waitFor(
  database: ReadModels,
  name: string,
  position: string,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const wanted = positionColumn(position);
  const watch = watchOf(database, name);
  return new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => settle(false), timeoutMs);
    const settle = (held: boolean): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", aborted);
      watch.waiters.delete(waiter);
      resolve(held);
    };
    const aborted = (): void => settle(false);
    const waiter: Waiter = { position: wanted, resolve: settle };
    if (signal?.aborted) return settle(false);
    signal?.addEventListener("abort", aborted);
    watch.waiters.add(waiter);
    if (!watch.looking) void look(database, name, watch);
  });
}

function watchOf(database: object, name: string): Watch {
  const byName = watches.get(database) ?? new Map<string, Watch>();
  watches.set(database, byName);
  const watch = byName.get(name) ?? { waiters: new Set<Waiter>(), looking: false };
  byName.set(name, watch);
  return watch;
}

async function look(database: ReadModels, name: string, watch: Watch): Promise<void> {
  watch.looking = true;
  let last = "";
  try {
    for (let turn = 0; watch.waiters.size > 0; turn += 1) {
      const query = database.selectFrom("checkpoints").select("position").where("name", "=", name).executeTakeFirst();
      // A database that cannot answer now is looked at again until the waiters give up, whatever becomes of that query.
      const row = await withTimeout(query, lookWithinMs).catch(() => undefined);
      const reached = row?.position ?? "";
      for (const waiter of watch.waiters) if (waiter.position <= reached) waiter.resolve(true);
      if (watch.waiters.size === 0) break;
      if (reached !== last) turn = 0;
      last = reached;
      const pause = pausesMs[Math.min(turn, pausesMs.length - 1)];
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  } finally {
    watch.looking = false;
  }
}

/** Waits until the projections process has made the tables of all `names`; false when it has not within `timeoutMs`. */
export async function waitForTables(database: ReadModels, names: readonly string[], timeoutMs: number): Promise<boolean> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const rows = await database
      .selectFrom("checkpoints")
      .select("name")
      .where("name", "in", names)
      .execute()
      .catch(() => []);
    if (rows.length === names.length) return true;
    if (performance.now() >= until) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Position up to which a projection has applied its events; null before the first, and when its tables have not been made yet. */
export async function projectionPosition(database: ReadModels, name: string): Promise<string | null> {
  const row = await database.selectFrom("checkpoints").select("position").where("name", "=", name).executeTakeFirst();
  return row ? positionOf(row.position) : null;
}

export interface ProjectionProgress {
  name: string;
  position: string | null;
  /** "failed": stands still at the event named by `failure`; "ahead": of the store, which was set back, until a rebuild. */
  state: string;
  failure: string | null;
  /** How often its tables have been rebuilt. */
  generation: number;
  /** Age of the oldest event that is written but not applied, in milliseconds; 0 when there is none. */
  lagMs: number;
}

/** How far behind the event store each projection is, asked of the store itself, so that it holds even when no runner lives. */
export async function projectionProgress(
  database: ReadModels,
  store: Pick<EventStore, "next">,
  signal: AbortSignal,
): Promise<ProjectionProgress[]> {
  const rows = await database.selectFrom("checkpoints").selectAll().orderBy("name").execute();
  return Promise.all(
    rows.map(async ({ name, position: column, streams, state, failure, generation }) => {
      const position = positionOf(column);
      const prefixes = JSON.parse(streams) as string[];
      const told = { name, position, state, failure, generation };
      try {
        return { ...told, lagMs: ageOf(await store.next({ from: position, prefixes, signal })) };
      } catch (error) {
        if (error instanceof StoreIsOlder) return { ...told, state: "ahead", failure: aheadOfStore, lagMs: 0 };
        throw error;
      }
    }),
  );
}

/** How long an event has been waiting, in milliseconds. */
export const ageOf = (event: StoredEvent | null): number => (event ? Math.max(0, Date.now() - Date.parse(event.created)) : 0);

export interface RebuildUnderWay {
  name: string;
  purpose: string;
  position: string | null;
  events: number;
  startedAt: string;
  renewedAt: string;
}

/** Rebuilds and verifications that are being made now. */
export async function rebuildsUnderWay(database: ReadModels): Promise<RebuildUnderWay[]> {
  const rows = await database.selectFrom("rebuilds").selectAll().orderBy("name").execute();
  return rows.map(({ name, purpose, position, events, started_at, renewed_at }) => ({
    name,
    purpose,
    position: positionOf(position),
    events,
    startedAt: started_at,
    renewedAt: renewed_at,
  }));
}
