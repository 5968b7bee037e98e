import { atMost } from "@colloquy/infra/at-most.ts";
import type { Config } from "@colloquy/infra/config.ts";
import { showsToken } from "@colloquy/infra/http/bearer.ts";
import { jsonBody } from "@colloquy/infra/http/json-body.ts";
import { requireJson } from "@colloquy/infra/http/mutations.ts";
import { ProblemError, parse } from "@colloquy/infra/http/problem.ts";
import { isTraceparent } from "@colloquy/infra/telemetry/span.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { artifactKind } from "@colloquy/schemas/explainers/film.ts";
import { stagesHeader } from "@colloquy/schemas/explainers/stages.ts";
import { artifactQuery, claimRequest, completeRequest, failRequest, leaseRequest } from "@colloquy/schemas/explainers/worker.ts";
import { workerFiguresHeader } from "@colloquy/schemas/explainers/worker-figures.ts";
import { id, noQuery, versioned } from "@colloquy/schemas/payload.ts";
import { type Request, type RequestHandler, Router } from "express";
import { z } from "zod";
import { receivedBytes } from "./received-bytes.ts";
import { traceStages } from "./trace-stages.ts";
import type { ExplainerWork } from "./worker.ts";
import type { HeardWorkers } from "./worker-figures.ts";

/** The routes below take in their bodies themselves, once they know that a worker sends them. */
export const workerPaths = /^\/api\/visual-explainers\/worker\//;

const root = "/api/visual-explainers/worker";
/** How often it is looked whether who uploads still holds the lease. */
const lookEveryMs = 1_000;
const jobParameters = z.object({ jobId: id });
const artifactParameters = z.object({ jobId: id, kind: artifactKind });

/**
 * The boundary to the workers that make films: whoever has the token is one, and nobody else. Stands before the sessions, so that no cookie
 * is looked at. Without a token set there is no such boundary.
 */
export function workerRoutes({
  config,
  work,
  heard,
}: {
  config: Pick<Config, "RENDER_WORKER_TOKEN">;
  work: ExplainerWork;
  heard: Pick<HeardWorkers, "hear">;
}): Router {
  const router = Router();
  const body = [requireJson, jsonBody(bounds.json.bodyBytes)];
  const uploads = atMost(bounds.explainer.uploadsAtOnce);
  router.use(root, workersOnly(config), (request, _response, next) => {
    heard.hear(request.get(workerFiguresHeader) ?? "");
    next();
  });

  router.post(`${root}/claim`, ...body, async (request, response) => {
    parse(noQuery, request.query);
    const { workerId, capabilities } = parse(claimRequest, request.body);
    const claimed = await work.claim(workerId, capabilities);
    if (!claimed) return void response.status(204).end();
    const { traceparent, ...given } = claimed;
    if (isTraceparent(traceparent)) response.set("traceparent", traceparent);
    response.json(versioned(given));
  });

  router.post(`${root}/jobs/:jobId/lease`, ...body, async (request, response) => {
    const { leaseId, progress } = parse(leaseRequest, request.body);
    response.json(versioned(await work.renew(jobOf(request), leaseId, progress)));
  });

  router.put(`${root}/jobs/:jobId/artifacts/:kind`, async (request, response) => {
    const { jobId } = parse(artifactParameters, request.params);
    const { leaseId, sha256 } = parse(artifactQuery, request.query);
    await work.holds(jobId, leaseId);
    await uploads(async () => {
      // One whose worker is gone would keep the others waiting for as long as its connection stands.
      const look = setInterval(() => void work.holds(jobId, leaseId).catch((error: Error) => request.destroy(error)), lookEveryMs);
      const bytes = await receivedBytes(request, sha256).finally(() => clearInterval(look));
      // It may have run out meanwhile.
      await work.holds(jobId, leaseId);
      await work.keep(sha256, bytes);
    });
    response.json(versioned({ stored: true as const }));
  });

  router.post(`${root}/jobs/:jobId/complete`, ...body, async (request, response) => {
    const { schemaVersion: _, ...made } = parse(completeRequest, request.body);
    await work.complete(jobOf(request), made);
    traceStages(request.get(stagesHeader) ?? "");
    response.json(versioned({ accepted: true as const }));
  });

  router.post(`${root}/jobs/:jobId/fail`, ...body, async (request, response) => {
    const { schemaVersion: _, ...failed } = parse(failRequest, request.body);
    await work.fail(jobOf(request), failed);
    response.json(versioned({ accepted: true as const }));
  });

  return router;
}

function jobOf(request: Request): string {
  parse(noQuery, request.query);
  return parse(jobParameters, request.params).jobId;
}

/** @throws {ProblemError} `not_found` where no token is set, `sign_in_required` for whoever does not send it */
function workersOnly({ RENDER_WORKER_TOKEN: token }: Pick<Config, "RENDER_WORKER_TOKEN">): RequestHandler {
  return (request, response, next) => {
    if (token === undefined) throw new ProblemError("not_found");
    if (!showsToken(request, token)) {
      response.set("www-authenticate", "Bearer");
      throw new ProblemError("sign_in_required", { detail: "Send the token of the workers." });
    }
    response.set("cache-control", "private, no-store");
    next();
  };
}
