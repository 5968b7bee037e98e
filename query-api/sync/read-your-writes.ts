import { damagedFileAdvice } from "@colloquy/infra/database/damage.ts";
import { ProblemError, unavailable } from "@colloquy/infra/http/problem.ts";
import { type ReadModels, waitFor, waitForTables } from "@colloquy/projections/checkpoints/queries.ts";
import { readYourWritesMs } from "@colloquy/schemas/bounds.ts";
import type { RequestHandler } from "express";

/** How long a request waits, at the program's first start, for tables that are just being made. */
const tablesWithinMs = 5_000;

/**
 * Waits until a read model holds `after`, when a query names one.
 * @throws {ProblemError} `read_model_behind` when it does not within two seconds.
 */
export async function holdBack(database: ReadModels, projection: string, after: string | undefined): Promise<void> {
  if (after === undefined) return;
  if (!(await waitFor(database, projection, after, readYourWritesMs))) throw new ProblemError("read_model_behind");
}

/** Middleware that lets a request through once the tables of all `projections` exist; `unavailable` when they do not in time. */
export function whenReadable(database: ReadModels, projections: readonly string[]): RequestHandler {
  let asked: Promise<boolean> | undefined;
  let readable = false;
  return async (_request, _response, next) => {
    if (!readable) {
      asked ??= waitForTables(database, projections, tablesWithinMs).finally(() => (asked = undefined));
      readable = await asked;
      if (!readable) {
        // Asked once more for its reason: waiting does not mend a damaged file, and the error says so.
        const trouble: unknown = await database
          .selectFrom("checkpoints")
          .select("name")
          .limit(1)
          .execute()
          .then(
            () => null,
            (error: unknown) => error,
          );
        if (damagedFileAdvice(trouble)) throw unavailable(trouble);
        throw new ProblemError("unavailable", {
          detail: "The read models are being put in place. Try again in a moment.",
          retryAfterSeconds: 2,
        });
      }
    }
    next();
  };
}
