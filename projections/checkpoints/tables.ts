import { hasTable } from "@colloquy/infra/database/open.ts";
import { positionColumn, positionOf } from "@colloquy/infra/database/positions.ts";
import type { SeenEvent } from "@colloquy/infra/event-store/client.ts";
import type { Kysely, SchemaModule, Transaction } from "kysely";

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
    /** The last event whose rows are in the tables, by which its store is known again (`seenColumn`); null before there is one. */
    last_event: string | null;
  };
  /** Processes that run the projections now: each renews its row (`presence.ts`). */
  runners: { owner: string; renewed_at: string };
  /** What operators did that no runner has put into its log yet. */
  operations: { id: string; at: string; told: string };
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
  "The event store was restored from a backup that is older than these rows. Run `npm run projections -- rebuild all` (docs/run/backup.md)";

/** These tables' own steps, under a name no projection has. */
const house = "checkpoints";
const rebuildsStep = "2-rebuilds";
const presenceStep = "3-presence";

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
  for (const [name, step] of [
    [rebuildsStep, createRebuilds],
    [presenceStep, createPresence],
  ] as const) {
    if (done.some((one) => one.name === name)) continue;
    await step(schema);
    await tx.insertInto("migrations").values({ projection: house, name }).execute();
  }
}

/** Whether these tables are as this version of the program knows them. */
export async function areCheckpointTablesReady(database: Kysely<CheckpointTables>): Promise<boolean> {
  if (!(await hasTable(database, "migrations"))) return false;
  const step = database.selectFrom("migrations").select("name").where("projection", "=", house).where("name", "=", presenceStep);
  return (await step.executeTakeFirst()) !== undefined;
}

async function createRebuilds(schema: SchemaModule): Promise<void> {
  await schema
    .alterTable("checkpoints")
    .addColumn("generation", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  let rebuilds = schema.createTable("rebuilds").addColumn("name", "text", (column) => column.primaryKey());
  for (const name of ["owner", "purpose", "position", "started_at", "renewed_at"] as const)
    rebuilds = rebuilds.addColumn(name, "text", (column) => column.notNull());
  await rebuilds.addColumn("events", "integer", (column) => column.notNull()).execute();
}

async function createPresence(schema: SchemaModule): Promise<void> {
  await schema.alterTable("checkpoints").addColumn("last_event", "text").execute();
  await schema
    .createTable("runners")
    .addColumn("owner", "text", (column) => column.primaryKey())
    .addColumn("renewed_at", "text", (column) => column.notNull())
    .execute();
  await schema
    .createTable("operations")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("at", "text", (column) => column.notNull())
    .addColumn("told", "text", (column) => column.notNull())
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

export interface Checkpoint {
  /** Of the last event applied; null before the first. */
  position: string | null;
  generation: number;
  state: string;
  failure: string | null;
  /** The last event whose rows are there. */
  seen: SeenEvent | null;
}

export const seenColumn = ({ position, id }: SeenEvent): string => `${position} ${id}`;

export function seenOf(column: string | null): SeenEvent | null {
  const [position, id] = column?.split(" ") ?? [];
  return position && id ? { position, id } : null;
}

/** How far a projection has come. @throws when its tables have not been made yet. */
export async function readCheckpoint(database: Kysely<CheckpointTables>, name: string): Promise<Checkpoint> {
  const { position, generation, state, failure, last_event } = await database
    .selectFrom("checkpoints")
    .select(["position", "generation", "state", "failure", "last_event"])
    .where("name", "=", name)
    .executeTakeFirstOrThrow();
  return { position: positionOf(position), generation, state, failure, seen: seenOf(last_event) };
}

/** Where a batch leads: its last position, and the last event in it, where there is one. */
export interface Move {
  expected: string | null;
  position: string;
  seen: SeenEvent | null;
}

/** Moves a checkpoint from where the caller believes it to be; what moves has not failed. @throws {CheckpointLost} when it is elsewhere. */
export async function moveCheckpoint(tx: Transaction<CheckpointTables>, name: string, { expected, position, seen }: Move): Promise<void> {
  const result = await tx
    .updateTable("checkpoints")
    .set({ position: positionColumn(position), state: "running", failure: null, ...(seen && { last_event: seenColumn(seen) }) })
    .where("name", "=", name)
    .where("position", "=", positionColumn(expected))
    .executeTakeFirst();
  if (result.numUpdatedRows !== 1n) throw new CheckpointLost(name, expected);
}
