import { createHash } from "node:crypto";
import type { Config } from "@colloquy/infra/config.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { type Admission, route, sent, serve } from "@colloquy/infra/http/route.ts";
import { limitConcurrency } from "@colloquy/infra/limit-concurrency.ts";
import { hasBearerToken } from "@colloquy/infra/telemetry/bearer-token.ts";
import { isTraceparent } from "@colloquy/infra/telemetry/span.ts";
import { beginSpan } from "@colloquy/infra/telemetry/traces.ts";
import * as contracts from "@colloquy/schemas/contracts/workers.ts";
import { readStages, stagesHeader } from "@colloquy/schemas/explainers/stages.ts";
import { workerFiguresHeader } from "@colloquy/schemas/explainers/worker-figures.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import type { Request, Router } from "express";
import type { ExplainerWork } from "./worker.ts";
import type { WorkerFigureLog } from "./worker-figures.ts";

/** How often an upload checks that its worker still holds the lease. */
const checkEveryMs = 1_000;

interface Needs {
  config: Pick<Config, "RENDER_WORKER_TOKEN">;
  work: ExplainerWork;
  heard: Pick<WorkerFigureLog, "record">;
}

/** Routes for render workers, which send the worker token. They come before the session middleware, so that no cookie is read. */
export function workerRoutes({ config, work, heard }: Needs): Router {
  const uploads = limitConcurrency(filmBounds.uploadsAtOnce);
  return serve(
    [
      route(contracts.claimJob, async ({ body: { workerId, capabilities }, response }) => {
        const claimed = await work.claim(workerId, capabilities);
        if (!claimed) {
          response.status(204).end();
          return sent;
        }
        const { traceparent, ...given } = claimed;
        if (isTraceparent(traceparent)) response.set("traceparent", traceparent);
        return given;
      }),

      route(contracts.renewLease, ({ parameters: { jobId }, body: { leaseId, progress } }) => work.renew(jobId, leaseId, progress)),

      route(contracts.uploadArtifact, async ({ parameters: { jobId }, query: { leaseId, sha256 }, request }) => {
        await work.requireLease(jobId, leaseId);
        await uploads(async () => {
          // An upload of a lost worker would block others while its connection stays open.
          const check = setInterval(
            () => void work.requireLease(jobId, leaseId).catch((error: Error) => request.destroy(error)),
            checkEveryMs,
          );
          const bytes = await readArtifact(request, sha256).finally(() => clearInterval(check));
          // The lease may have expired meanwhile.
          await work.requireLease(jobId, leaseId);
          await work.store(sha256, bytes);
        });
        return { stored: true as const };
      }),

      route(contracts.completeRender, async ({ parameters: { jobId }, body: { schemaVersion: _, ...made }, request }) => {
        await work.complete(jobId, made);
        traceStages(request.get(stagesHeader) ?? "");
        return { accepted: true as const };
      }),

      route(contracts.failRender, async ({ parameters: { jobId }, body: { schemaVersion: _, ...failed } }) => {
        await work.fail(jobId, failed);
        return { accepted: true as const };
      }),
    ],
    admitWorkers(config, heard),
  );
}

/** @throws {ProblemError} `not_found` if no token is configured, `sign_in_required` for a caller who does not send it */
function admitWorkers({ RENDER_WORKER_TOKEN: token }: Needs["config"], heard: Needs["heard"]): Admission {
  return (request, response) => {
    if (token === undefined) throw new ProblemError("not_found");
    if (!hasBearerToken(request, token)) {
      response.set("www-authenticate", "Bearer");
      throw new ProblemError("sign_in_required", { detail: "Send the worker token." });
    }
    heard.record(request.get(workerFiguresHeader) ?? "");
  };
}

/** Adds a worker's stages to the trace. The worker cannot send spans, because it reaches only this API. */
function traceStages(told: string): void {
  const stages = readStages(told);
  let at = Date.now() - stages.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  for (const { stage, milliseconds } of stages) {
    beginSpan(`render ${stage}`, { startTime: at }).end(at + milliseconds);
    at += milliseconds;
  }
}

/** Reads the body of an upload. @throws {ProblemError} `too_large`; `invalid_request` if length or hash differ from what was stated */
async function readArtifact(request: Request, sha256: string): Promise<Buffer> {
  const wrong = (detail: string): ProblemError => new ProblemError("invalid_request", { detail });
  const length = Number(request.headers["content-length"] ?? Number.NaN);
  if (!Number.isInteger(length) || length < 1) throw wrong("State the length of the artifact in content-length.");
  if (length > filmBounds.artifactBytes) throw new ProblemError("too_large");
  const hash = createHash("sha256");
  const bytes = Buffer.allocUnsafe(length);
  let at = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (at + chunk.length > length) throw wrong("The body is longer than content-length.");
    hash.update(chunk);
    at += chunk.copy(bytes, at);
  }
  if (at < length) throw wrong("The body is shorter than content-length.");
  if (hash.digest("hex") !== sha256) throw wrong("The bytes do not match the hash in the address. Upload the artifact again.");
  return bytes;
}
