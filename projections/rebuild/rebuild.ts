import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { eraseDeleted } from "@colloquy/infra/database/open.ts";
import { positionColumn } from "@colloquy/infra/database/positions.ts";
import type { EventStore } from "@colloquy/infra/event-store/client.ts";
import type { Kysely } from "kysely";
import { type CheckpointTables, readCheckpoint } from "../checkpoints/tables.ts";
import { readAppliedAhead } from "../kafka/lane-tables.ts";
import type { Projection } from "../projection.ts";
import { compareTables, type TableDifferences } from "./compare.ts";
import { fill } from "./fill.ts";
import { expiredLeases, LeaseLost, leaseMs, type Purpose, releaseLease, renewLease, takeLease } from "./lease.ts";
import { createShadow, dropLeftovers, lockLiveTables, type Shadow, swapTables } from "./shadow.ts";

/** Swaps that let the shadow catch up without locks if the live tables have moved on; after these, it catches up under the locks. */
const maxUnlockedCatchUps = 20;
/** A live projection that has not moved for this long is considered stopped. */
const stoppedAfterMs = 2_000;
/** Comparisons of a read model that differs, each with a new snapshot. */
const maxComparisons = 3;
/** Attempts to lock the tables, on PostgreSQL. */
const maxLockAttempts = 10;

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
 * Rebuilds projections from the first event in shadow tables, then swaps each in one transaction with its checkpoint. It reads the events
 * once for all projections, and works whether these run or not. If it fails or is aborted, only projections that were already swapped have
 * changed, and no shadow table stays.
 * @returns how much was written for each
 * @throws {RebuildRunning} {ApplyEventError} {LeaseLost}; the signal's reason when it aborts
 */
export async function rebuild(options: Options): Promise<Progress[]> {
  return withShadowTables("rebuild", options, async (shadows, owner) => {
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
  let lockTimeouts = 0;
  for (let turn = 1; ; turn += 1) {
    signal.throwIfAborted();
    try {
      const left = await database.transaction().execute(async (tx) => {
        const live = await lockLiveTables(tx, projection);
        // Live rows may be newer than a store that was restored from a backup; events beyond its end must not count as applied.
        const target = lower(live.position, await store.head());
        if (positionColumn(target) > positionColumn(shadow.position)) {
          if (turn <= maxUnlockedCatchUps) return target;
          await fill({ ...filling, database: tx, to: () => target });
        }
        await swapTables(tx, shadow);
        return null;
      });
      if (left === null) return;
      await fill({ ...filling, to: () => left });
    } catch (error) {
      lockTimeouts += 1;
      if (!isLockTimeout(error) || lockTimeouts >= maxLockAttempts) throw error;
    }
  }
}

const lower = (one: string | null, other: string | null): string | null => (positionColumn(one) < positionColumn(other) ? one : other);

/** PostgreSQL's codes for a lock timeout and for a deadlock. */
const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "55P03" || error.code === "40P01");

export interface Verdict {
  name: string;
  /** Position of the compared rows. */
  position: string | null;
  rows: number;
  /**
   * The live rows had not caught up with the store. Then rows of deleted streams may differ without an error, because the store no longer
   * has their events.
   */
  behind: boolean;
  differences: TableDifferences[];
}

/**
 * Rebuilds projections in shadow tables and compares them row by row with a snapshot of the live tables at the same position. Live tables
 * are not changed and may go on; no shadow table stays. Live rows that are behind get a moment to catch up first.
 * @param reader a second connection to the same database, for the snapshot
 */
export async function verify(options: Options & { store: Pick<EventStore, "next">; reader: Kysely<CheckpointTables> }): Promise<Verdict[]> {
  return withShadowTables("verify", options, async (shadows, owner) => {
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
          // With Kafka, some partitions are ahead of the projection's checkpoint.
          const ahead = await readAppliedAhead(snapshot, projection.name);
          if (ahead) await fill({ ...filling, shadows: [shadow], to: () => ahead.position, wanted: ahead.hasApplied });
          shadow.position = position;
          const found = await compareTables({ live: snapshot, database, projection, signal });
          return { name: projection.name, position, behind, ...found };
        });
    };
    const verdicts: Verdict[] = [];
    for (const shadow of shadows) {
      let verdict = await compared(shadow);
      // A stream that is deleted during the comparison is in the snapshot but not in the store; in the next comparison it is in neither.
      for (let comparisons = 1; comparisons < maxComparisons && verdict.differences.length > 0; comparisons += 1)
        verdict = await compared(shadow);
      verdicts.push(verdict);
    }
    return verdicts;
  });
}

/** Whether the live rows hold every event that the store has now; waits while they still move. */
async function catchesUp({ database, store, signal }: Parameters<typeof verify>[0], { name, streams }: Projection): Promise<boolean> {
  const end = await store.head();
  let lastPosition: string | null = null;
  let movedAt = Date.now();
  while (Date.now() - movedAt < stoppedAfterMs) {
    const { position } = await readCheckpoint(database, name);
    if (positionColumn(position) >= positionColumn(end)) return true;
    const next = await store.next({ from: position, prefixes: streams, signal });
    if (next === null || positionColumn(next.position) > positionColumn(end)) return true;
    if (position !== lastPosition) movedAt = Date.now();
    lastPosition = position;
    await pause(50, undefined, { signal });
  }
  return false;
}

const progressOf = ({ projection, events, position }: Shadow): Progress => ({ name: projection.name, events, position });

async function cleanUp(database: Kysely<CheckpointTables>, projection: Projection, owner: string): Promise<void> {
  try {
    await renewLease(database, projection.name, owner, null);
  } catch (error) {
    // Another process has cleaned up; shadow tables that exist now are not ours.
    if (error instanceof LeaseLost) return;
    throw error;
  }
  await dropLeftovers(database, projection);
  await releaseLease(database, projection.name, owner);
}

/** Drops the shadow tables of killed rebuilds and returns the names of their projections. */
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

/** Takes the leases, creates the shadow tables, does the work, and always drops what is left and releases the leases. */
async function withShadowTables<Result>(
  purpose: Purpose,
  { projections, database }: Options,
  work: (shadows: Shadow[], owner: string) => Promise<Result>,
): Promise<Result> {
  const owner = randomUUID();
  const leased: Projection[] = [];
  const renewing = setInterval(() => {
    for (const { name } of leased) renewLease(database, name, owner, null).catch(() => undefined);
  }, leaseMs / 5);
  try {
    const shadows: Shadow[] = [];
    for (const projection of projections) {
      await takeLease(database, projection.name, { owner, purpose });
      leased.push(projection);
      const { generation } = await readCheckpoint(database, projection.name);
      await createShadow(database, projection);
      shadows.push({ projection, generation, position: null, lastEvent: null, events: 0 });
    }
    return await work(shadows, owner);
  } finally {
    clearInterval(renewing);
    for (const projection of leased) await cleanUp(database, projection, owner);
    if (leased.length > 0) await eraseDeleted(database);
  }
}
