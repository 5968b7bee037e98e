import { hasTable } from "@colloquy/infra/database/open.ts";
import { positionColumn, positionOf } from "@colloquy/infra/database/positions.ts";
import { prepared } from "@colloquy/infra/database/prepared.ts";
import type { SeenEvent } from "@colloquy/infra/event-store/client.ts";
import { type Kysely, type SchemaModule, sql, type Transaction } from "kysely";

/** The position and the applied migrations of each projection, and who works on it. */
export interface CheckpointTables {
  checkpoints: {
    name: string;
    /** Position of the last applied event, padded (`infra/database/positions.ts`); "" before the first. */
    position: string;
    /** JSON list of the stream prefixes, with which readers ask the store for unapplied events. */
    streams: string;
    /** "running"; "failed", with `failure`; "ahead" of a store that was restored from a backup, until a rebuild. */
    state: string;
    failure: string | null;
    /** How often a rebuild has replaced the tables; decides the names of their indexes (`rebuild/names.ts`). */
    generation: number;
    /** The last event whose rows are in the tables (`lastEventColumn`), to recognise its store; null before the first. */
    last_event: string | null;
  };
  /** Processes that run the projections now; each renews its row (`heartbeat.ts`). */
  runners: { owner: string; renewed_at: string };
  /** Log lines of the operator's tool that no runner has logged yet; `told` is the text. */
  operations: { id: string; at: string; told: string };
  migrations: { projection: string; name: string };
  /** Leases of running rebuilds and verifications: who writes a projection's shadow tables. */
  rebuilds: {
    name: string;
    owner: string;
    /** "rebuild", "verify", or "sweep" after a killed one. */
    purpose: string;
    /** Padded position of the last event in the shadow tables, and how many there are. */
    position: string;
    events: number;
    /** RFC 3339. */
    started_at: string;
    renewed_at: string;
  };
}

/** The failure of a projection that is ahead of the store, and what to do. */
export const aheadOfStoreMessage =
  "The event store was restored from a backup that is older than these rows. Run `npm run projections -- rebuild all` (docs/run/backup.md)";

/** Name of these tables' own migrations; no projection has it. */
const ownName = "checkpoints";
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
  const done = await tx.selectFrom("migrations").select("name").where("projection", "=", ownName).execute();
  for (const [name, step] of [
    [rebuildsStep, createRebuilds],
    [presenceStep, createPresence],
  ] as const) {
    if (done.some((one) => one.name === name)) continue;
    await step(schema);
    await tx.insertInto("migrations").values({ projection: ownName, name }).execute();
  }
}

/** Whether these tables have all migrations of this version. */
export async function areCheckpointTablesReady(database: Kysely<CheckpointTables>): Promise<boolean> {
  if (!(await hasTable(database, "migrations"))) return false;
  const step = database.selectFrom("migrations").select("name").where("projection", "=", ownName).where("name", "=", presenceStep);
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

/** Another runner moved the checkpoint and owns the projection now. */
export class CheckpointLost extends Error {
  override name = "CheckpointLost";
  readonly expected: string | null;
  constructor(projection: string, expected: string | null) {
    super(`The checkpoint of ${projection} is no longer at ${expected ?? "the start"}: another process runs this projection`);
    this.expected = expected;
  }
}

export interface Checkpoint {
  /** Position of the last applied event; null before the first. */
  position: string | null;
  generation: number;
  state: string;
  failure: string | null;
  /** The last event whose rows are there. */
  lastEvent: SeenEvent | null;
}

export const lastEventColumn = ({ position, id }: SeenEvent): string => `${position} ${id}`;

export function parseLastEvent(column: string | null): SeenEvent | null {
  const [position, id] = column?.split(" ") ?? [];
  return position && id ? { position, id } : null;
}

/** @throws if the projection's tables do not exist yet */
export async function readCheckpoint(database: Kysely<CheckpointTables>, name: string): Promise<Checkpoint> {
  const { position, generation, state, failure, last_event } = await database
    .selectFrom("checkpoints")
    .select(["position", "generation", "state", "failure", "last_event"])
    .where("name", "=", name)
    .executeTakeFirstOrThrow();
  return { position: positionOf(position), generation, state, failure, lastEvent: parseLastEvent(last_event) };
}

/** The change of a checkpoint by a batch: its last position, and its last event if it has one. */
export interface CheckpointMove {
  expected: string | null;
  position: string;
  lastEvent: SeenEvent | null;
}

/** Moves a checkpoint from the expected position and clears its failure. @throws {CheckpointLost} if it is at another position */
async function moveCheckpoint(
  tx: Transaction<CheckpointTables>,
  name: string,
  { expected, position, lastEvent: seen }: CheckpointMove,
): Promise<void> {
  const { numAffectedRows } = await updateCheckpoint(tx, {
    name,
    expected: positionColumn(expected),
    position: positionColumn(position),
    seen: seen && lastEventColumn(seen),
  });
  if (numAffectedRows !== 1n) throw new CheckpointLost(name, expected);
}

interface CheckpointUpdate {
  [name: string]: string | null;
  name: string;
  expected: string;
  position: string;
  /** Null leaves the last event as it is. */
  seen: string | null;
}

const updateCheckpoint = prepared((tx: Kysely<CheckpointTables>, { name, expected, position, seen }: CheckpointUpdate) =>
  tx
    .updateTable("checkpoints")
    .set({ position, state: "running", failure: null, last_event: sql<string | null>`coalesce(${seen}, last_event)` })
    .where("name", "=", name)
    .where("position", "=", expected),
);

/** Where a runner stores its checkpoint. */
export interface CheckpointStore {
  read(): Promise<Checkpoint>;
  /** Moves it from the expected position, in the transaction of the rows. @throws {CheckpointLost} if it is at another position */
  move(tx: Transaction<CheckpointTables>, move: CheckpointMove): Promise<void>;
}

/** One checkpoint for a whole projection. */
export function projectionCheckpoint(database: Kysely<CheckpointTables>, name: string): CheckpointStore {
  return {
    read: () => readCheckpoint(database, name),
    move: (tx, move) => moveCheckpoint(tx, name, move),
  };
}
