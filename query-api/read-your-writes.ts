import { damagedFileAdvice } from "@colloquy/infra/database/damage.ts";
import { ProblemError, unavailable } from "@colloquy/infra/http/problem.ts";
import { type ReadModels, waitForPosition, waitForTables } from "@colloquy/projections/checkpoints/queries.ts";
import { readYourWritesMs } from "@colloquy/schemas/bounds.ts";
import type { RequestHandler } from "express";

/** How long a request waits for the tables at the program's first start. */
const tablesWithinMs = 5_000;

/**
 * Read-your-writes: waits until a projection has applied the event at `after`, if a query names one.
 * @throws {ProblemError} `read_model_behind` if it has not within two seconds
 */
export async function waitForProjection(database: ReadModels, projection: string, after: string | undefined): Promise<void> {
  if (after === undefined) return;
  if (!(await waitForPosition(database, projection, after, readYourWritesMs))) throw new ProblemError("read_model_behind");
}

/** Middleware that waits until the tables of all `projections` exist. @throws {ProblemError} `unavailable` if they do not in time */
export function requireReadModels(database: ReadModels, projections: readonly string[]): RequestHandler {
  let waiting: Promise<boolean> | undefined;
  let isReady = false;
  return async (_request, _response, next) => {
    if (!isReady) {
      waiting ??= waitForTables(database, projections, tablesWithinMs).finally(() => (waiting = undefined));
      isReady = await waiting;
      if (!isReady) {
        // One more query to learn the reason: waiting does not repair a damaged file, and the error says what does.
        const failure: unknown = await database
          .selectFrom("checkpoints")
          .select("name")
          .limit(1)
          .execute()
          .then(
            () => null,
            (error: unknown) => error,
          );
        if (damagedFileAdvice(failure)) throw unavailable(failure);
        throw new ProblemError("unavailable", {
          detail: "The read models are being created. Try again in a moment.",
          retryAfterSeconds: 2,
        });
      }
    }
    next();
  };
}
