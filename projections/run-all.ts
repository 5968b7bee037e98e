import { setTimeout as pause } from "node:timers/promises";
import { damagedFileAdvice } from "@colloquy/infra/database/damage.ts";
import type { EventStore } from "@colloquy/infra/event-store/client.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import type { Kysely } from "kysely";
import { migrate } from "./checkpoints/migrate.ts";
import type { CheckpointTables } from "./checkpoints/tables.ts";
import { keepPresence } from "./presence.ts";
import type { Projection } from "./projection.ts";
import { leaseMs } from "./rebuild/lease.ts";
import { sweepAbandoned } from "./rebuild/rebuild.ts";
import { type ProjectionStatus, type RunningProjection, runProjection } from "./runner.ts";

/** How long to wait before the database is tried again, in milliseconds. */
const retryMs = 1_000;
const longestRetryMs = 10_000;

interface Options {
  projections: readonly Projection[];
  database: Kysely<CheckpointTables>;
  store: Pick<EventStore, "subscribe" | "head" | "next">;
  log: Logger;
  signal: AbortSignal;
  /** How one projection is run, when not from the event store. */
  start?: (projection: Projection) => RunningProjection;
  /** See `runProjection`. */
  standbyMs?: number;
}

/** Brings the tables up to date, then runs every projection, each on its own, until the signal. A database that is not there yet is waited for. */
export function runAll(options: Options): { status(): ProjectionStatus[]; finished: Promise<void> } {
  const { projections, database, log, signal } = options;
  let running: RunningProjection[] = [];
  let present: Promise<void> | undefined;
  /** Shadow tables of a rebuild that was killed may hold text, so they must not stay. */
  async function sweepFromTimeToTime(): Promise<void> {
    while (!signal.aborted) {
      try {
        for (const projection of await sweepAbandoned(database, projections))
          log.warn({ projection }, "an abandoned rebuild was cleaned up");
      } catch (error) {
        log.warn({ err: error }, "abandoned rebuilds could not be looked for");
      }
      await pause(leaseMs, undefined, { signal }).catch(() => undefined);
    }
  }
  async function run(): Promise<void> {
    let waitMs = retryMs;
    let lastTold = "";
    while (!signal.aborted) {
      try {
        await migrate(database, projections);
        if (!present) {
          void sweepFromTimeToTime();
          present = keepPresence({ database, log, signal });
        }
        running = projections.map((projection) => options.start?.(projection) ?? runProjection({ ...options, projection }));
        await Promise.all([...running.map(({ finished }) => finished), present]);
        return;
      } catch (error) {
        const damage = damagedFileAdvice(error);
        // The same trouble is told once; a damaged file waits for a person.
        const told = damage ?? (error instanceof Error ? error.message : String(error));
        if (told !== lastTold) log.error(damage ? {} : { err: error }, damage ?? "the read models' tables could not be prepared");
        lastTold = told;
        await pause(waitMs, undefined, { signal }).catch(() => undefined);
        waitMs = Math.min(2 * waitMs, longestRetryMs);
      }
    }
  }
  return { status: () => running.map((projection) => projection.status()), finished: run() };
}
