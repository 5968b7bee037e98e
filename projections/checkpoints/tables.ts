import { positionColumn, positionOf } from "@colloquy/infra/database/positions.ts";
import type { Kysely, SchemaModule, Transaction } from "kysely";

/** How far each projection has come, and which migrations its tables have had. */
export interface CheckpointTables {
  checkpoints: {
    name: string;
    /** Of the last event applied, padded (`infra/database/positions.ts`); "" before the first. */
    position: string;
    /** JSON list of the stream prefixes, so that readers can ask the store what is still ahead. */
    streams: string;
    /** "running", or "failed" with what stopped it. */
    state: string;
    failure: string | null;
  };
  migrations: { projection: string; name: string };
}

export async function createCheckpointTables(schema: SchemaModule): Promise<void> {
  await schema
    .createTable("checkpoints")
    .ifNotExists()
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("position", "text", (column) => column.notNull())
    .addColumn("streams", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("failure", "text")
    .execute();
  await schema
    .createTable("migrations")
    .ifNotExists()
    .addColumn("projection", "text", (column) => column.notNull())
    .addColumn("name", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("migrations_key", ["projection", "name"])
    .execute();
}

/** Somebody else moved the checkpoint: another runner owns the projection now. */
export class CheckpointLost extends Error {
  override name = "CheckpointLost";
  readonly expected: string | null;
  constructor(projection: string, expected: string | null) {
    super(`The checkpoint of ${projection} is no longer at ${expected ?? "the start"}: another process runs this projection`);
    this.expected = expected;
  }
}

/** Position of the last event a projection applied; null before the first. */
export async function readCheckpoint(database: Kysely<CheckpointTables>, name: string): Promise<string | null> {
  const row = await database.selectFrom("checkpoints").select("position").where("name", "=", name).executeTakeFirstOrThrow();
  return positionOf(row.position);
}

/** Moves a checkpoint from where the caller believes it to be. @throws {CheckpointLost} when it is elsewhere. */
export async function moveCheckpoint(
  tx: Transaction<CheckpointTables>,
  name: string,
  expected: string | null,
  position: string,
): Promise<void> {
  const result = await tx
    .updateTable("checkpoints")
    .set({ position: positionColumn(position) })
    .where("name", "=", name)
    .where("position", "=", positionColumn(expected))
    .executeTakeFirst();
  if (result.numUpdatedRows !== 1n) throw new CheckpointLost(name, expected);
}
