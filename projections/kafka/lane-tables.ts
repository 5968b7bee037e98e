import { hasTable, isSqlite } from "@colloquy/infra/database/open.ts";
import { positionColumn, positionOf } from "@colloquy/infra/database/positions.ts";
import { isAt } from "@colloquy/infra/kafka/layout.ts";
import { type Kysely, sql, type Transaction } from "kysely";
import { CheckpointLost, type CheckpointStore, type CheckpointTables, lastEventColumn, parseLastEvent } from "../checkpoints/tables.ts";

/** One partition of a topic for one projection. */
export interface Lane {
  projection: string;
  topic: string;
  partition: number;
}

/** The position of each projection in each partition. The projection's own checkpoint is then the position that all of them have passed. */
export interface LaneTables {
  lanes: Lane & {
    /** Padded position of the last event applied. */
    position: string;
    /** Generation of the tables to which the events were applied; rows of other generations are ignored. */
    generation: number;
    /** As `checkpoints.last_event`. */
    last_event: string | null;
  };
}

/** Before any generation. */
const never = -1;
/** On PostgreSQL, two processes that create the same table at once fail; a lock of this number prevents that. */
const creationLock = 7_043_218_908;

export async function createLaneTable(database: Kysely<CheckpointTables>, lanes: readonly Lane[]): Promise<void> {
  await database.transaction().execute(async (plain) => {
    const tx = withLanes(plain);
    if (!isSqlite(tx)) await sql`select pg_advisory_xact_lock(${creationLock})`.execute(tx);
    await tx.schema
      .createTable("lanes")
      .ifNotExists()
      .addColumn("projection", "text", (column) => column.notNull())
      .addColumn("topic", "text", (column) => column.notNull())
      .addColumn("partition", "integer", (column) => column.notNull())
      .addColumn("position", "text", (column) => column.notNull())
      .addColumn("generation", "integer", (column) => column.notNull())
      .addPrimaryKeyConstraint("lanes_key", ["projection", "topic", "partition"])
      .execute();
    const step = { projection: "lanes", name: "2-last-event" };
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto("migrations")
      .values(step)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows) await tx.schema.alterTable("lanes").addColumn("last_event", "text").execute();
    if (lanes.length > 0)
      await tx
        .insertInto("lanes")
        .values(
          lanes.map(({ projection, topic, partition }) => ({
            projection,
            topic,
            partition,
            position: "",
            generation: never,
            last_event: null,
          })),
        )
        .onConflict((conflict) => conflict.columns(["projection", "topic", "partition"]).doNothing())
        .execute();
  });
}

interface LaneRow {
  topic: string;
  partition: number;
  position: string;
  generation: number;
  last_event: string | null;
}

export interface LanePositions {
  /** Padded position up to which every lane has applied its events. */
  floor: string;
  generation: number;
  state: string;
  failure: string | null;
  /** Of the projection's own checkpoint. */
  last_event: string | null;
  rows: LaneRow[];
}

/** The checkpoint of a projection and of its lanes, in one snapshot. @throws if its tables do not exist yet */
export async function readLanes(database: Kysely<CheckpointTables>, projection: string): Promise<LanePositions> {
  const rows = await withLanes(database)
    .selectFrom("checkpoints")
    .leftJoin("lanes", "lanes.projection", "checkpoints.name")
    .select(["checkpoints.position as floor", "checkpoints.generation as generation"])
    .select(["checkpoints.state as state", "checkpoints.failure as failure", "checkpoints.last_event as last_event"])
    .select(["lanes.topic", "lanes.partition", "lanes.position as lane_position", "lanes.generation as lane_generation"])
    .select("lanes.last_event as lane_last_event")
    .where("checkpoints.name", "=", projection)
    .execute();
  const [first] = rows;
  if (!first) throw new Error(`The projection ${projection} has no checkpoint.`);
  return {
    floor: first.floor,
    generation: first.generation,
    state: first.state,
    failure: first.failure,
    last_event: first.last_event,
    rows: rows.flatMap(({ topic, partition, lane_position: position, lane_generation: generation, lane_last_event: last_event }) =>
      topic === null || partition === null || position === null || generation === null
        ? []
        : [{ topic, partition, position, generation, last_event }],
    ),
  };
}

/** Padded position up to which a lane has applied its events. */
export function lanePosition({ floor, generation }: LanePositions, row: LaneRow | undefined): string {
  return row && row.generation === generation && row.position > floor ? row.position : floor;
}

export interface AppliedAhead {
  /** Position of the last event that any lane has applied. */
  position: string | null;
  /** Whether the event's own lane has applied it. */
  hasApplied(event: { stream: string; position: string }): boolean;
}

/** What lanes have applied beyond the projection's own checkpoint, in one snapshot; null if nothing. */
export async function readAppliedAhead(database: Kysely<CheckpointTables>, projection: string): Promise<AppliedAhead | null> {
  if (!(await hasTable(database, "lanes"))) return null;
  const lanes = await readLanes(database, projection);
  const ahead = lanes.rows.filter((row) => lanePosition(lanes, row) > lanes.floor);
  if (ahead.length === 0) return null;
  const partitions = Map.groupBy(lanes.rows, ({ topic }) => topic);
  const layoutOf = ({ topic }: LaneRow) => ({ prefix: topic.slice(0, topic.indexOf(".")), partitions: partitions.get(topic)?.length ?? 0 });
  const [furthest = lanes.floor] = ahead
    .map(({ position }) => position)
    .toSorted()
    .toReversed();
  return {
    position: positionOf(furthest),
    hasApplied: ({ stream, position }) =>
      positionColumn(position) <= lanes.floor ||
      ahead.some((row) => positionColumn(position) <= row.position && isAt(layoutOf(row), row, stream)),
  };
}

/**
 * A lane's checkpoint. It starts at the projection's own checkpoint if that is further on: after a rebuild, or if the projection read the
 * event store directly before.
 */
export function laneCheckpoint(database: Kysely<CheckpointTables>, { projection, topic, partition }: Lane): CheckpointStore {
  let lastRead = { reached: null as string | null, row: "", rowGeneration: never, generation: never };
  return {
    async read() {
      const lanes = await readLanes(database, projection);
      const row = lanes.rows.find((one) => one.topic === topic && one.partition === partition);
      if (!row) throw new Error(`${projection} has no lane for partition ${partition} of ${topic}.`);
      const reached = positionOf(lanePosition(lanes, row));
      lastRead = { reached, row: row.position, rowGeneration: row.generation, generation: lanes.generation };
      const own = row.generation === lanes.generation ? row.last_event : null;
      return {
        position: reached,
        generation: lanes.generation,
        state: lanes.state,
        failure: lanes.failure,
        lastEvent: parseLastEvent(own ?? lanes.last_event),
      };
    },
    async move(tx, { expected, position, lastEvent: seen }) {
      const untouched = expected === lastRead.reached;
      const { numUpdatedRows } = await withLanes(tx)
        .updateTable("lanes")
        .set({ position: positionColumn(position), generation: lastRead.generation, ...(seen && { last_event: lastEventColumn(seen) }) })
        .where("projection", "=", projection)
        .where("topic", "=", topic)
        .where("partition", "=", partition)
        .where("position", "=", untouched ? lastRead.row : positionColumn(expected))
        .where("generation", "=", untouched ? lastRead.rowGeneration : lastRead.generation)
        .where(({ exists, selectFrom }) =>
          exists(selectFrom("checkpoints").select("name").where("name", "=", projection).where("generation", "=", lastRead.generation)),
        )
        .executeTakeFirst();
      if (numUpdatedRows !== 1n) throw new CheckpointLost(`${projection} (partition ${partition} of ${topic})`, expected);
    },
  };
}

const withLanes = <Database extends Kysely<CheckpointTables> | Transaction<CheckpointTables>>(database: Database) =>
  database as unknown as Kysely<CheckpointTables & LaneTables>;
