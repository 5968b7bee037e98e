import { hasTable, isSqlite } from "@colloquy/infra/database/open.ts";
import { positionColumn } from "@colloquy/infra/database/positions.ts";
import type { SeenEvent } from "@colloquy/infra/event-store/client.ts";
import { type Kysely, sql, type Transaction } from "kysely";
import { type Checkpoint, type CheckpointTables, lastEventColumn, readCheckpoint } from "../checkpoints/tables.ts";
import { readAppliedAhead } from "../kafka/lane-tables.ts";
import type { Projection } from "../projection.ts";
import { formerOf, shadowNames, shadowOf } from "./names.ts";

/** One projection's shadow tables while they are filled. */
export interface Shadow {
  projection: Projection;
  /** Generation of the live tables when it began; the shadow's is the next one. */
  generation: number;
  /** Position up to which its events are written. */
  position: string | null;
  /** The last event written. */
  lastEvent: SeenEvent | null;
  /** Events written. */
  events: number;
}

/** Rows deleted in one transaction while a former table is emptied on SQLite, where each transaction blocks other writers. */
const rowsPerDeletion = 2_000;
/** How long a swap on PostgreSQL waits for the table locks, in milliseconds; meanwhile it blocks new readers. */
const lockTimeoutMs = 2_000;

/** Creates empty shadow tables by the projection's migrations; drops those of an earlier rebuild first. */
export async function createShadow(database: Kysely<CheckpointTables>, projection: Projection): Promise<void> {
  await dropLeftovers(database, projection);
  await database.transaction().execute(async (tx) => {
    const { generation } = await readCheckpoint(tx, projection.name);
    const shadow = tx.withPlugin(shadowNames(projection.tables, generation));
    for (const migration of projection.migrations) await migration.up(shadow.schema);
  });
}

/** A transaction whose queries go to the projection's shadow tables. */
export function inShadow<Tables>(tx: Transaction<Tables>, projection: Projection, generation: number): Transaction<Tables> {
  return tx.withPlugin(shadowNames(projection.tables, generation));
}

/** Drops shadow and former tables of any earlier rebuild. They may hold learners' text, so they never stay. */
export async function dropLeftovers(database: Kysely<CheckpointTables>, projection: Projection): Promise<void> {
  const reversed = projection.tables.toReversed();
  for (const table of [...reversed.map(shadowOf), ...reversed.map(formerOf)]) {
    if (!(await hasTable(database, table))) continue;
    if (isSqlite(database)) await empty(database, table);
    await database.schema.dropTable(table).ifExists().execute();
  }
}

/** Empties a table in small steps: dropping a full one overwrites all its pages in one transaction. */
async function empty(database: Kysely<CheckpointTables>, table: string): Promise<void> {
  const name = sql.table(table);
  for (;;) {
    const { numAffectedRows } = await sql`delete from ${name} where rowid in (select rowid from ${name} limit ${rowsPerDeletion})`.execute(
      database,
    );
    if (!numAffectedRows) return;
    // Other processes that wait for the write lock get a turn.
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/**
 * Locks the live tables and the checkpoint, in the order in which readers take them. Returns the checkpoint at the position of the last
 * event that any live row may come from.
 */
export async function lockLiveTables(tx: Transaction<CheckpointTables>, projection: Projection): Promise<Checkpoint> {
  if (!isSqlite(tx)) {
    await sql`select set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`.execute(tx);
    for (const table of projection.tables) await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(tx);
    await tx.selectFrom("checkpoints").select("name").where("name", "=", projection.name).forUpdate().execute();
  }
  const live = await readCheckpoint(tx, projection.name);
  const ahead = await readAppliedAhead(tx, projection.name);
  return ahead ? { ...live, position: ahead.position } : live;
}

/** Replaces the live tables and their checkpoint by the shadow's. Call `lockLiveTables` first. */
export async function swapTables(
  tx: Transaction<CheckpointTables>,
  { projection, position, lastEvent }: Omit<Shadow, "events" | "generation">,
): Promise<void> {
  for (const table of projection.tables) {
    await tx.schema.alterTable(table).renameTo(formerOf(table)).execute();
    await tx.schema.alterTable(shadowOf(table)).renameTo(table).execute();
  }
  await tx
    .updateTable("checkpoints")
    .set((column) => ({
      position: positionColumn(position),
      last_event: lastEvent && lastEventColumn(lastEvent),
      state: "running",
      failure: null,
      generation: column("generation", "+", 1),
    }))
    .where("name", "=", projection.name)
    .execute();
  await tx.deleteFrom("migrations").where("projection", "=", projection.name).execute();
  await tx
    .insertInto("migrations")
    .values(projection.migrations.map(({ name }) => ({ projection: projection.name, name })))
    .execute();
}
