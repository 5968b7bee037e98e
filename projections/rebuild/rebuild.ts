import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { eraseDeleted } from "@colloquy/infra/database/open.ts";
import { positionColumn } from "@colloquy/infra/database/positions.ts";
import type { EventStore } from "@colloquy/infra/event-store/client.ts";
import type { Kysely } from "kysely";
import { type CheckpointTables, readCheckpoint } from "../checkpoints/tables.ts";
import { readAhead } from "../kafka/lane-tables.ts";
import type { Projection } from "../projection.ts";
import { compareTables, type TableDifferences } from "./compare.ts";
import { fill } from "./fill.ts";
import { expiredLeases, LeaseLost, leaseMs, type Purpose, releaseLease, renewLease, takeLease } from "./lease.ts";
import { createShadow, dropLeftovers, holdLive, type Shadow, swapIn } from "./shadow.ts";

/** So often a swap finds live tables that have gone on and lets the shadow catch up first; then it catches up while they are held. */
const politeSwaps = 20;
/** Live rows that have not moved for so long are taken for as far as they get. */
const standsStillMs = 2_000;
/** Rows that differ are compared so often, each time as they are by then. */
const looksAtMost = 3;
/** Tries at taking the tables from their readers, on PostgreSQL. */
const lockTries = 10;

export interface Progress {
  name: string;
  events: number;
  position: string | null;
}

interface Options {
  projections: readonly Projection[];
  /** Writes the shadow tables. */
  database: Kysely<CheckpointTables>;
  store: Pick<EventStore, "subscribe" | "head">;
  signal: AbortSignal;
  onProgress?: (progress: Progress[]) => void;
}

/**
 * Builds projections anew from the first event, beside the tables that serve meanwhile, then swaps each in one transaction with its
 * checkpoint. Whoever runs the projections goes on and finds itself on the new tables; nobody needs to run. Events are read once for all.
 * When it fails or is aborted, nothing has changed but the projections that were swapped already, and no shadow stays.
 * @returns what was written for each
 * @throws {RebuildRunning} {EventRefused} {LeaseLost}; the signal's reason when it aborts
 */
export async function rebuild(options: Options): Promise<Progress[]> {
  return besides("rebuild", options, async (shadows, owner) => {
    const { database, store, signal } = options;
    const filling = { shadows, database, store, owner, signal, onProgress: () => options.onProgress?.(shadows.map(progressOf)) };
    await fill({ ...filling, to: "end" });
    for (const shadow of shadows) await swap({ ...filling, store, shadows: [shadow] }, shadow);
    return shadows.map(progressOf);
  });
}

type Filling = Omit<Parameters<typeof fill>[0], "to"> & Pick<Options, "store">;

async function swap(filling: Filling, shadow: Shadow): Promise<void> {
  const { database, store, signal } = filling;
  const { projection } = shadow;
  let blocked = 0;
  for (let turn = 1; ; turn += 1) {
    signal.throwIfAborted();
    try {
      const left = await database.transaction().execute(async (tx) => {
        const live = await holdLive(tx, projection);
        // Live rows may come from a store that was set back since; what this one has not written yet must not count as applied.
        const target = nearer(live.position, await store.head());
        if (positionColumn(target) > positionColumn(shadow.position)) {
          if (turn <= politeSwaps) return target;
          await fill({ ...filling, database: tx, to: () => target });
        }
        await swapIn(tx, shadow);
        return null;
      });
      if (left === null) return;
      await fill({ ...filling, to: () => left });
    } catch (error) {
      blocked += 1;
      if (!isLockTimeout(error) || blocked >= lockTries) throw error;
    }
  }
}

const nearer = (one: string | null, other: string | null): string | null => (positionColumn(one) < positionColumn(other) ? one : other);

/** PostgreSQL's codes for a lock that was not given in time, and for two who waited for each other. */
const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "55P03" || error.code === "40P01");

export interface Verdict {
  name: string;
  /** Up to where the rows were compared. */
  position: string | null;
  rows: number;
  /**
   * The live rows stood behind events there are. Then rows of what was deleted since may differ for no fault of anybody's: the store
   * has no longer what they were made of.
   */
  behind: boolean;
  differences: TableDifferences[];
}

/**
 * Builds projections anew beside the live tables and compares them row by row at the very position the live ones had reached,
 * while they go on. Nothing live is changed, no shadow stays. Live rows that are behind are given a moment to catch up first.
 * @param reader a second opening of the same database, which holds the live tables as they were at one moment
 */
export async function verify(options: Options & { store: Pick<EventStore, "next">; reader: Kysely<CheckpointTables> }): Promise<Verdict[]> {
  return besides("verify", options, async (shadows, owner) => {
    const { database, store, signal, reader } = options;
    const filling = { shadows, database, store, owner, signal, onProgress: () => options.onProgress?.(shadows.map(progressOf)) };
    const positions = new Map<Shadow, string | null>();
    for (const shadow of shadows) positions.set(shadow, (await readCheckpoint(database, shadow.projection.name)).position);
    await fill({ ...filling, to: (shadow) => positions.get(shadow) ?? null });
    const compared = async (shadow: Shadow): Promise<Verdict> => {
      const { projection } = shadow;
      const behind = !(await catchesUp(options, projection));
      return reader
        .transaction()
        .setIsolationLevel("repeatable read")
        .execute(async (snapshot) => {
          const { position } = await readCheckpoint(snapshot, projection.name);
          await fill({ ...filling, shadows: [shadow], to: () => position });
          // With Kafka, some partitions are further than all of them together.
          const ahead = await readAhead(snapshot, projection.name);
          if (ahead) await fill({ ...filling, shadows: [shadow], to: () => ahead.position, wanted: ahead.holds });
          shadow.position = position;
          const found = await compareTables({ live: snapshot, database, projection, signal });
          return { name: projection.name, position, behind, ...found };
        });
    };
    const verdicts: Verdict[] = [];
    for (const shadow of shadows) {
      let verdict = await compared(shadow);
      // What is deleted while this reads is in the snapshot still and in the store no more: looked at again, it is in neither.
      for (let looks = 1; looks < looksAtMost && verdict.differences.length > 0; looks += 1) verdict = await compared(shadow);
      verdicts.push(verdict);
    }
    return verdicts;
  });
}

/** Whether the live rows hold every event there is when this is called; those that move on are waited for. */
async function catchesUp({ database, store, signal }: Parameters<typeof verify>[0], { name, streams }: Projection): Promise<boolean> {
  const end = await store.head();
  let last: string | null = null;
  let movedAt = Date.now();
  while (Date.now() - movedAt < standsStillMs) {
    const { position } = await readCheckpoint(database, name);
    if (positionColumn(position) >= positionColumn(end)) return true;
    const next = await store.next({ from: position, prefixes: streams, signal });
    if (next === null || positionColumn(next.position) > positionColumn(end)) return true;
    if (position !== last) movedAt = Date.now();
    last = position;
    await pause(50, undefined, { signal });
  }
  return false;
}

const progressOf = ({ projection, events, position }: Shadow): Progress => ({ name: projection.name, events, position });

async function cleanUp(database: Kysely<CheckpointTables>, projection: Projection, owner: string): Promise<void> {
  try {
    await renewLease(database, projection.name, owner, null);
  } catch (error) {
    // Others have cleaned up; what stands there now is not ours.
    if (error instanceof LeaseLost) return;
    throw error;
  }
  await dropLeftovers(database, projection);
  await releaseLease(database, projection.name, owner);
}

/** Drops what rebuilds left behind that were killed. Meant for the projections' process, from time to time; returns whose it was. */
export async function sweepAbandoned(database: Kysely<CheckpointTables>, projections: readonly Projection[]): Promise<string[]> {
  const owner = randomUUID();
  const swept: string[] = [];
  for (const name of await expiredLeases(database)) {
    const projection = projections.find((one) => one.name === name);
    if (!projection) continue;
    await takeLease(database, name, { owner, purpose: "sweep" });
    await cleanUp(database, projection, owner);
    swept.push(name);
  }
  if (swept.length > 0) await eraseDeleted(database);
  return swept;
}

/** Takes the leases, makes the shadow tables, does the work, and leaves nothing behind however it ends. */
async function besides<Result>(
  purpose: Purpose,
  { projections, database }: Options,
  work: (shadows: Shadow[], owner: string) => Promise<Result>,
): Promise<Result> {
  const owner = randomUUID();
  const taken: Projection[] = [];
  const renewing = setInterval(() => {
    for (const { name } of taken) renewLease(database, name, owner, null).catch(() => undefined);
  }, leaseMs / 5);
  try {
    const shadows: Shadow[] = [];
    for (const projection of projections) {
      await takeLease(database, projection.name, { owner, purpose });
      taken.push(projection);
      const { generation } = await readCheckpoint(database, projection.name);
      await createShadow(database, projection);
      shadows.push({ projection, generation, position: null, seen: null, events: 0 });
    }
    return await work(shadows, owner);
  } finally {
    clearInterval(renewing);
    for (const projection of taken) await cleanUp(database, projection, owner);
    if (taken.length > 0) await eraseDeleted(database);
  }
}
