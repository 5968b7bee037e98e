import { openDatabase } from "@colloquy/infra/database/open.ts";
import type { Engine } from "@colloquy/infra/database/temporary.fixture.ts";
import type { StoredEvent } from "@colloquy/infra/event-store/client.ts";
import { type Kysely, sql } from "kysely";
import type { CheckpointTables } from "./checkpoints/tables.ts";
import { migrate } from "./migrate.ts";
import type { Projection } from "./projection.ts";

export interface Rows<Tables> {
  database: Kysely<Tables & CheckpointTables>;
  /** Applies each batch as the runner does, all in one transaction. */
  apply(...batches: (readonly StoredEvent[])[]): Promise<void>;
  /** All rows of the projection by table, independent of the order of writing. */
  dump(): Promise<unknown[]>;
  /** Deletes all rows. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

/** A projection with its own database. `beside`: other projections whose tables its queries read. */
export async function rowsOf<Tables extends object>(
  engine: Engine,
  projection: Projection<Tables>,
  beside: readonly Projection[] = [],
): Promise<Rows<Tables>> {
  const place = await engine.create();
  const database = openDatabase<Tables & CheckpointTables>(place.config);
  await migrate(database as unknown as Kysely<CheckpointTables>, [projection as unknown as Projection, ...beside]);
  return {
    database,
    apply: (...batches) =>
      (database as unknown as Kysely<Tables>).transaction().execute(async (tx) => {
        for (const batch of batches) await projection.apply(tx, batch);
      }),
    dump: () =>
      Promise.all(
        projection.tables.map(async (table) => {
          const { rows } = await sql`select * from ${sql.table(table)}`.execute(database);
          return rows.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
        }),
      ),
    async empty() {
      for (const table of projection.tables) await sql`delete from ${sql.table(table)}`.execute(database);
    },
    async close() {
      await database.destroy();
      await place.drop();
    },
  };
}

/** Stored events in order, each of its own request. */
export function storedEvents() {
  let position = 0;
  return (accountId: string, stream: string, revision: number, { type, data }: { type: string; data: unknown }): StoredEvent => {
    position += 1;
    return {
      id: `00000000-0000-4000-8000-${String(position).padStart(12, "0")}`,
      type,
      data,
      stream,
      revision,
      position: String(position),
      metadata: { accountId, requestId: `request-${position}`, correlationId: `request-${position}` },
      created: new Date(Date.UTC(2026, 0, 1) + position).toISOString(),
    };
  };
}
