import { isSqlite } from "@colloquy/infra/database/open.ts";
import { type Kysely, sql } from "kysely";
import { type CheckpointTables, createCheckpointTables } from "./checkpoints/tables.ts";
import type { Projection } from "./projection.ts";
import { liveNames } from "./rebuild/names.ts";

/** PostgreSQL locks by number; no other program uses this one on the database. */
const migrationLock = 7_043_218_907;

/**
 * Applies the missing migrations of all projections in one transaction; safe if several processes start at once.
 * A projection's checkpoint row appears together with its tables, so readers wait for that row.
 */
export async function migrate(database: Kysely<CheckpointTables>, projections: readonly Projection[]): Promise<void> {
  await database.transaction().execute(async (tx) => {
    if (!isSqlite(database)) await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(tx);
    await createCheckpointTables(tx);
    for (const projection of projections) {
      const { name } = projection;
      const rows = await tx.selectFrom("migrations").select("name").where("projection", "=", name).execute();
      const done = new Set(rows.map((row) => row.name));
      const live = await tx.selectFrom("checkpoints").select("generation").where("name", "=", name).executeTakeFirst();
      const { schema } = tx.withPlugin(liveNames(live?.generation ?? 0));
      for (const migration of projection.migrations) {
        if (done.has(migration.name)) continue;
        await migration.up(schema);
        await tx.insertInto("migrations").values({ projection: name, name: migration.name }).execute();
      }
      const streams = JSON.stringify(projection.streams);
      await tx
        .insertInto("checkpoints")
        .values({ name, position: "", streams, state: "running", failure: null, generation: 0, last_event: null })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ streams }))
        .execute();
      // A failed event is tried again; rows ahead of the store stay so until a rebuild.
      await tx
        .updateTable("checkpoints")
        .set({ state: "running", failure: null })
        .where("name", "=", name)
        .where("state", "=", "failed")
        .execute();
    }
  });
}
