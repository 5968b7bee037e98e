import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { type ReadModels, waitFor, waitForTables } from "@colloquy/projections/checkpoints/queries.ts";
import { readYourWritesMs } from "@colloquy/schemas/bounds.ts";
import { position } from "@colloquy/schemas/payload.ts";
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

/** The `after` of a query string. */
export const afterParameter = position.optional();

/** Middleware that lets a request through once the tables of all `projections` exist; `unavailable` when they do not in time. */
export function whenReadable(database: ReadModels, projections: readonly string[]): RequestHandler {
  let asked: Promise<boolean> | undefined;
  let readable = false;
  return async (_request, _response, next) => {
    if (!readable) {
      asked ??= waitForTables(database, projections, tablesWithinMs).finally(() => (asked = undefined));
      readable = await asked;
      if (!readable) throw new ProblemError("unavailable", { detail: "The read models are not there yet." });
    }
    next();
  };
}
