import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import type { Kysely } from "kysely";
import type { CheckpointTables } from "./checkpoints/tables.ts";

/** How often a process that runs the projections says that it lives, in milliseconds. */
const renewMs = 5_000;
/** One that has said nothing for so long lives no more. */
const livesMs = 3 * renewMs;

const time = (ms: number): string => new Date(ms).toISOString();

/**
 * Says of this process, until the signal, that it runs the projections, and puts into its log what operators did meanwhile: their tool is
 * a process of its own, whose words go to a terminal.
 */
export async function keepPresence(options: { database: Kysely<CheckpointTables>; log: Logger; signal: AbortSignal }): Promise<void> {
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
        .where("renewed_at", "<", time(Date.now() - livesMs))
        .execute();
      const operations = await database.deleteFrom("operations").returningAll().execute();
      for (const { at, told } of operations.toSorted((one, other) => one.at.localeCompare(other.at))) log.info({ at }, told);
    } catch (error) {
      log.debug({ err: error }, "it could not be said that this process runs the projections");
    }
    await pause(renewMs, undefined, { signal }).catch(() => undefined);
  }
  await database
    .deleteFrom("runners")
    .where("owner", "=", owner)
    .execute()
    .catch((error) => log.debug({ err: error }, "it could not be said that this process stops"));
}

/** Processes that run the projections now, as far as the database tells. */
export async function liveRunners(database: Kysely<CheckpointTables>): Promise<number> {
  const { count } = await database
    .selectFrom("runners")
    .select((all) => all.fn.countAll().as("count"))
    .where("renewed_at", ">=", time(Date.now() - livesMs))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Leaves a line for the log of whoever runs the projections, now or next. */
export async function noteOperation(database: Kysely<CheckpointTables>, told: string): Promise<void> {
  await database
    .insertInto("operations")
    .values({ id: randomUUID(), at: time(Date.now()), told })
    .execute();
}
