import { setTimeout as pause } from "node:timers/promises";
import { rethrowRetryable } from "@colloquy/infra/backoff.ts";
import { damagedFileAdvice } from "@colloquy/infra/database/damage.ts";
import type { EventStore } from "@colloquy/infra/event-store/client.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import type { Kysely } from "kysely";
import pRetry from "p-retry";
import type { CheckpointTables } from "./checkpoints/tables.ts";
import { keepHeartbeat } from "./heartbeat.ts";
import { migrate } from "./migrate.ts";
import type { Projection } from "./projection.ts";
import { leaseMs } from "./rebuild/lease.ts";
import { sweepAbandoned } from "./rebuild/rebuild.ts";
import { type ProjectionStatus, type RunningProjection, runProjection } from "./runner.ts";

/** Waits between attempts to prepare the tables, in milliseconds. */
const migrationRetry = { retries: Number.POSITIVE_INFINITY, minTimeout: 1_000, maxTimeout: 10_000, factor: 2 };

interface Options {
  projections: readonly Projection[];
  database: Kysely<CheckpointTables>;
  store: Pick<EventStore, "subscribe" | "head" | "next" | "assertSameStore">;
  log: Logger;
  signal: AbortSignal;
  /** Runs one projection; by default from the event store. */
  start?: (projection: Projection) => RunningProjection;
  /** See `runProjection`. */
  standbyMs?: number;
}

/** Migrates the tables, again until the database is available, then runs every projection on its own until the signal. */
export function runAll(options: Options): { status(): ProjectionStatus[]; finished: Promise<void> } {
  const { projections, database, log, signal } = options;
  let running: RunningProjection[] = [];

  /** Shadow tables of a killed rebuild may hold learners' text, so they must not stay. */
  async function sweepPeriodically(): Promise<void> {
    while (!signal.aborted) {
      try {
        for (const projection of await sweepAbandoned(database, projections))
          log.warn({ projection }, "an abandoned rebuild was cleaned up");
      } catch (error) {
        log.warn({ err: error }, "abandoned rebuilds could not be looked up");
      }
      await pause(leaseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async function migrateTables(): Promise<void> {
    let lastLogged = "";
    await pRetry(() => migrate(database, projections).catch(rethrowRetryable), {
      ...migrationRetry,
      signal,
      onFailedAttempt({ error }) {
        const damage = damagedFileAdvice(error);
        const message = damage ?? error.message;
        // A repeated error is logged once; a damaged file needs an operator.
        if (message !== lastLogged) log.error(damage ? {} : { err: error }, damage ?? "the read models' tables could not be prepared");
        lastLogged = message;
      },
    });
  }

  async function run(): Promise<void> {
    try {
      await migrateTables();
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    }
    void sweepPeriodically();
    running = projections.map((projection) => options.start?.(projection) ?? runProjection({ ...options, projection }));
    await Promise.all([...running.map(({ finished }) => finished), keepHeartbeat({ database, log, signal })]);
  }

  return { status: () => running.map((projection) => projection.status()), finished: run() };
}
