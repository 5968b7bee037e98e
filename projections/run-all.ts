import { setTimeout as pause } from "node:timers/promises";
import type { EventStore } from "@colloquy/infra/event-store/client.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import type { Kysely } from "kysely";
import { migrate } from "./checkpoints/migrate.ts";
import type { CheckpointTables } from "./checkpoints/tables.ts";
import type { Projection } from "./projection.ts";
import { leaseMs } from "./rebuild/lease.ts";
import { sweepAbandoned } from "./rebuild/rebuild.ts";
import { type ProjectionStatus, type RunningProjection, runProjection } from "./runner.ts";

/** How long to wait before the database is tried again, in milliseconds. */
const retryMs = 1_000;

interface Options {
  projections: readonly Projection[];
  database: Kysely<CheckpointTables>;
  store: Pick<EventStore, "subscribe" | "readAll">;
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
    while (!signal.aborted) {
      try {
        await migrate(database, projections);
        void sweepFromTimeToTime();
        running = projections.map((projection) => options.start?.(projection) ?? runProjection({ ...options, projection }));
        await Promise.all(running.map(({ finished }) => finished));
        return;
      } catch (error) {
        log.error({ err: error }, "the read models' tables could not be prepared");
        await pause(retryMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }
  return { status: () => running.map((projection) => projection.status()), finished: run() };
}
