import { positionColumn } from "@colloquy/infra/database/positions.ts";
import type { Kysely } from "kysely";
import type { CheckpointTables } from "../checkpoints/tables.ts";

/** A lease that is not renewed for this long has expired: its tool is dead, and its shadow tables are dropped. */
export const leaseMs = 30_000;

export type Purpose = "rebuild" | "verify" | "sweep";

export interface Lease {
  owner: string;
  purpose: Purpose;
}

/** Another process rebuilds or verifies this projection. */
export class RebuildRunning extends Error {
  override name = "RebuildRunning";
}

/** The lease expired, and another process has dropped the shadow tables. */
export class LeaseLost extends Error {
  override name = "LeaseLost";
}

const time = (ms: number): string => new Date(ms).toISOString();

/** Takes the lease, which allows writing a projection's shadow tables. @throws {RebuildRunning} */
export async function takeLease(database: Kysely<CheckpointTables>, name: string, { owner, purpose }: Lease): Promise<void> {
  const row = { owner, purpose, position: "", events: 0, started_at: time(Date.now()), renewed_at: time(Date.now()) };
  const taken = await database
    .insertInto("rebuilds")
    .values({ name, ...row })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet(row)
        .where("rebuilds.renewed_at", "<", time(Date.now() - leaseMs)),
    )
    .returning("owner")
    .executeTakeFirst();
  if (taken?.owner !== owner) throw new RebuildRunning(`${name} is already being rebuilt or verified. See: npm run projections -- status`);
}

/** Renews the lease and stores the progress, in the same transaction as the rows. @throws {LeaseLost} */
export async function renewLease(
  database: Kysely<CheckpointTables>,
  name: string,
  owner: string,
  progress: { position: string | null; events: number } | null,
): Promise<void> {
  const { numUpdatedRows } = await database
    .updateTable("rebuilds")
    .set({ renewed_at: time(Date.now()), ...(progress && { position: positionColumn(progress.position), events: progress.events }) })
    .where("name", "=", name)
    .where("owner", "=", owner)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n)
    throw new LeaseLost(`The rebuild of ${name} made no progress for more than ${leaseMs / 1_000} s and was cleaned up. Start it again.`);
}

export async function releaseLease(database: Kysely<CheckpointTables>, name: string, owner: string): Promise<void> {
  await database.deleteFrom("rebuilds").where("name", "=", name).where("owner", "=", owner).execute();
}

/** Projections whose lease has expired. */
export async function expiredLeases(database: Kysely<CheckpointTables>): Promise<string[]> {
  const rows = await database
    .selectFrom("rebuilds")
    .select("name")
    .where("renewed_at", "<", time(Date.now() - leaseMs))
    .execute();
  return rows.map(({ name }) => name);
}
