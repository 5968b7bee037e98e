import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import type { Kysely } from "kysely";
import type { CheckpointTables } from "./checkpoints/tables.ts";

/** How often a process that runs the projections renews its row, in milliseconds. */
const renewMs = 5_000;
/** A process whose row is older than this is considered dead. */
const expiresMs = 3 * renewMs;

const time = (ms: number): string => new Date(ms).toISOString();

/**
 * Renews this process's row until the signal, and logs what operators did meanwhile: their tool is another process, whose output goes to a
 * terminal.
 */
export async function keepHeartbeat(options: { database: Kysely<CheckpointTables>; log: Logger; signal: AbortSignal }): Promise<void> {
  const { database, log, signal } = options;
  const owner = randomUUID();
  while (!signal.aborted) {
    try {
      const renewed_at = time(Date.now());
      await database
        .insertInto("runners")
        .values({ owner, renewed_at })
        .onConflict((conflict) => conflict.column("owner").doUpdateSet({ renewed_at }))
        .execute();
      await database
        .deleteFrom("runners")
        .where("renewed_at", "<", time(Date.now() - expiresMs))
        .execute();
      const operations = await database.deleteFrom("operations").returningAll().execute();
      for (const { at, told } of operations.toSorted((one, other) => one.at.localeCompare(other.at))) log.info({ at }, told);
    } catch (error) {
      log.debug({ err: error }, "the heartbeat could not be stored");
    }
    await pause(renewMs, undefined, { signal }).catch(() => undefined);
  }
  await database
    .deleteFrom("runners")
    .where("owner", "=", owner)
    .execute()
    .catch((error) => log.debug({ err: error }, "the row of this process could not be deleted"));
}

/** How many processes run the projections now. */
export async function countLiveRunners(database: Kysely<CheckpointTables>): Promise<number> {
  const { count } = await database
    .selectFrom("runners")
    .select((all) => all.fn.countAll().as("count"))
    .where("renewed_at", ">=", time(Date.now() - expiresMs))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Stores a line that the next or present projections process writes to its log. */
export async function recordOperation(database: Kysely<CheckpointTables>, message: string): Promise<void> {
  await database
    .insertInto("operations")
    .values({ id: randomUUID(), at: time(Date.now()), told: message })
    .execute();
}
