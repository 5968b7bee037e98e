import { positionColumn, positionOf } from "@colloquy/infra/database/positions.ts";
import type { Kysely, Transaction } from "kysely";

/** How far each projection has come, and which migrations its tables have had. */
export interface CheckpointTables {
  checkpoints: {
    name: string;
    /** Of the last event applied, padded (`infra/database/positions.ts`); "" before the first. */
    position: string;
    /** JSON list of the stream prefixes, so that readers can ask the store what is still ahead. */
    streams: string;
    /** "running"; "failed" with what stopped it; "ahead" of the store, which was set back, until a rebuild. */
    state: string;
    failure: string | null;
    /** How often a rebuild has put new tables in the place of the old ones; decides the names of their indexes (`rebuild/names.ts`). */
    generation: number;
  };
  migrations: { projection: string; name: string };
  /** Rebuilds and verifications that are under way: who writes a projection's shadow tables. */
  rebuilds: {
    name: string;
    owner: string;
    /** "rebuild", "verify", or "sweep" of what a killed one left. */
    purpose: string;
    /** Padded position of the last event in the shadow tables, and how many there are. */
    position: string;
    events: number;
    /** RFC 3339. */
    started_at: string;
    renewed_at: string;
  };
}

/** What is said of a projection that is ahead of the store, and what to do. */
export const aheadOfStore =
  "The event store was restored from a backup that is older than these rows. Run `npm run projections -- rebuild all` (docs/event-store.md)";

/** These tables' own steps, under a name no projection has. */
const house = "checkpoints";
const rebuildsStep = "2-rebuilds";

export async function createCheckpointTables(tx: Transaction<CheckpointTables>): Promise<void> {
  const { schema } = tx;
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
  const done = await tx.selectFrom("migrations").select("name").where("projection", "=", house).execute();
  if (done.some(({ name }) => name === rebuildsStep)) return;
  await schema
    .alterTable("checkpoints")
    .addColumn("generation", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  let rebuilds = schema.createTable("rebuilds").addColumn("name", "text", (column) => column.primaryKey());
  for (const name of ["owner", "purpose", "position", "started_at", "renewed_at"] as const)
    rebuilds = rebuilds.addColumn(name, "text", (column) => column.notNull());
  await rebuilds.addColumn("events", "integer", (column) => column.notNull()).execute();
  await tx.insertInto("migrations").values({ projection: house, name: rebuildsStep }).execute();
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

export interface Checkpoint {
  /** Of the last event applied; null before the first. */
  position: string | null;
  generation: number;
  state: string;
  failure: string | null;
}

/** How far a projection has come. @throws when its tables have not been made yet. */
export async function readCheckpoint(database: Kysely<CheckpointTables>, name: string): Promise<Checkpoint> {
  const { position, generation, state, failure } = await database
    .selectFrom("checkpoints")
    .select(["position", "generation", "state", "failure"])
    .where("name", "=", name)
    .executeTakeFirstOrThrow();
  return { position: positionOf(position), generation, state, failure };
}

/** Moves a checkpoint from where the caller believes it to be; what moves has not failed. @throws {CheckpointLost} when it is elsewhere. */
export async function moveCheckpoint(
  tx: Transaction<CheckpointTables>,
  name: string,
  expected: string | null,
  position: string,
): Promise<void> {
  const result = await tx
    .updateTable("checkpoints")
    .set({ position: positionColumn(position), state: "running", failure: null })
    .where("name", "=", name)
    .where("position", "=", positionColumn(expected))
    .executeTakeFirst();
  if (result.numUpdatedRows !== 1n) throw new CheckpointLost(name, expected);
}
