import { positionColumn, positionOf } from "@colloquy/infra/database/positions.ts";
import { prepared } from "@colloquy/infra/database/prepared.ts";
import { type EventStore, type StoredEvent, StoreIsOlder } from "@colloquy/infra/event-store/client.ts";
import { withTimeout } from "@colloquy/infra/with-timeout.ts";
import type { Kysely } from "kysely";
import { aheadOfStoreMessage, type CheckpointTables } from "./tables.ts";

export type { CheckpointTables } from "./tables.ts";

/** A database with the tables of the projections. */
export type ReadModels<Tables extends CheckpointTables = CheckpointTables> = Kysely<Tables>;

/** Pauses between polls, in milliseconds; the first poll comes at once, and the last pause repeats. */
const pausesMs = [1, 1, 2, 2, 4, 4, 8, 16, 25];

/** A poll that takes longer is abandoned and repeated, in milliseconds. */
const pollTimeoutMs = 2_000;

interface Waiter {
  position: string;
  resolve: (isApplied: boolean) => void;
}
interface Poll {
  waiters: Set<Waiter>;
  isRunning: boolean;
}
const polls = new WeakMap<object, Map<string, Poll>>();

/**
 * Resolves to true as soon as a projection has applied the event at `position` (decimal), to false after `timeoutMs` or when `signal`
 * aborts. All callers that wait for one projection share one poll, which runs only while somebody waits.
 */
export async function waitForPosition(
  database: ReadModels,
  name: string,
  position: string,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const column = positionColumn(position);
  const poll = pollOf(database, name);
  return new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => settle(false), timeoutMs);
    const settle = (isApplied: boolean): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", aborted);
      poll.waiters.delete(waiter);
      resolve(isApplied);
    };
    const aborted = (): void => settle(false);
    const waiter: Waiter = { position: column, resolve: settle };
    if (signal?.aborted) return settle(false);
    signal?.addEventListener("abort", aborted);
    poll.waiters.add(waiter);
    if (!poll.isRunning) void runPoll(database, name, poll);
  });
}

function pollOf(database: object, name: string): Poll {
  const byName = polls.get(database) ?? new Map<string, Poll>();
  polls.set(database, byName);
  const poll = byName.get(name) ?? { waiters: new Set<Waiter>(), isRunning: false };
  byName.set(name, poll);
  return poll;
}

const positionOfProjection = prepared((database: ReadModels, { name }: { name: string }) =>
  database.selectFrom("checkpoints").select("position").where("name", "=", name),
);

async function runPoll(database: ReadModels, name: string, poll: Poll): Promise<void> {
  poll.isRunning = true;
  let last = "";
  try {
    for (let turn = 0; poll.waiters.size > 0; turn += 1) {
      const query = positionOfProjection(database, { name });
      // If the database does not answer, the poll goes on until the waiters time out; the abandoned query is ignored.
      const found = await withTimeout(query, pollTimeoutMs).catch(() => undefined);
      const reached = found?.rows[0]?.position ?? "";
      for (const waiter of poll.waiters) if (waiter.position <= reached) waiter.resolve(true);
      if (poll.waiters.size === 0) break;
      if (reached !== last) turn = 0;
      last = reached;
      const pause = pausesMs[Math.min(turn, pausesMs.length - 1)];
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  } finally {
    poll.isRunning = false;
  }
}

/** Waits until the projections process has created the tables of all `names`; false after `timeoutMs`. */
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

/** Position up to which a projection has applied its events; null before the first event and before its tables exist. */
export async function projectionPosition(database: ReadModels, name: string): Promise<string | null> {
  const [row] = (await positionOfProjection(database, { name })).rows;
  return row ? positionOf(row.position) : null;
}

export interface ProjectionProgress {
  name: string;
  position: string | null;
  /** "running"; "failed": stopped at the event named by `failure`; "ahead": of a store that was restored from a backup, until a rebuild. */
  state: string;
  failure: string | null;
  /** How often its tables have been rebuilt. */
  generation: number;
  /** Age of the oldest event that is stored but not applied, in milliseconds; 0 if there is none. */
  lagMs: number;
}

/**
 * How far each projection is behind the event store. It asks the store itself, so it is right even if no runner lives: once for its last
 * event, and for the projections that have not come so far for their next one.
 */
export async function projectionProgress(
  database: ReadModels,
  store: Pick<EventStore, "next" | "head">,
  signal: AbortSignal,
): Promise<ProjectionProgress[]> {
  const [rows, head] = await Promise.all([database.selectFrom("checkpoints").selectAll().orderBy("name").execute(), store.head()]);
  return Promise.all(
    rows.map(async ({ name, position: column, streams, state, failure, generation }) => {
      const position = positionOf(column);
      const prefixes = JSON.parse(streams) as string[];
      const progress = { name, position, state, failure, generation };
      if (position === head) return { ...progress, lagMs: 0 };
      try {
        return { ...progress, lagMs: ageOf(await store.next({ from: position, prefixes, signal })) };
      } catch (error) {
        if (error instanceof StoreIsOlder) return { ...progress, state: "ahead", failure: aheadOfStoreMessage, lagMs: 0 };
        throw error;
      }
    }),
  );
}

/** Age of an event in milliseconds; 0 for none. */
export const ageOf = (event: StoredEvent | null): number => (event ? Math.max(0, Date.now() - Date.parse(event.created)) : 0);

export interface RebuildUnderWay {
  name: string;
  purpose: string;
  position: string | null;
  events: number;
  startedAt: string;
  renewedAt: string;
}

/** Rebuilds and verifications that are running now. */
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
