import { createHash, timingSafeEqual } from "node:crypto";
import type { Config } from "@colloquy/infra/config.ts";
import { jsonBody } from "@colloquy/infra/http/json-body.ts";
import { requireJson } from "@colloquy/infra/http/mutations.ts";
import { ProblemError, parse } from "@colloquy/infra/http/problem.ts";
import { isTraceparent } from "@colloquy/infra/telemetry/span.ts";
import { beginSpan } from "@colloquy/infra/telemetry/traces.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { artifactKind } from "@colloquy/schemas/explainer/film.ts";
import { readStages, stagesHeader } from "@colloquy/schemas/explainer/stages.ts";
import { artifactQuery, claimRequest, completeRequest, failRequest, leaseRequest } from "@colloquy/schemas/explainer/worker.ts";
import { id, noQuery, versioned } from "@colloquy/schemas/payload.ts";
import { type Request, type RequestHandler, Router } from "express";
import { z } from "zod";
import type { ExplainerWork } from "./worker.ts";

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
export function workerRoutes({ config, work }: { config: Pick<Config, "RENDER_WORKER_TOKEN">; work: ExplainerWork }): Router {
  const router = Router();
  const body = [requireJson, jsonBody(bounds.json.bodyBytes)];
  const uploads = atMost(bounds.explainer.uploadsAtOnce);
  router.use(root, workersOnly(config));

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
      const bytes = await received(request, sha256).finally(() => clearInterval(look));
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

/** Puts the stages that a worker took the times of into the trace: it sends none itself, because it reaches nothing but this API. */
function traceStages(told: string): void {
  const stages = readStages(told);
  let at = Date.now() - stages.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  for (const { stage, milliseconds } of stages) {
    beginSpan(`render ${stage}`, { startTime: at }).end(at + milliseconds);
    at += milliseconds;
  }
}

function jobOf(request: Request): string {
  parse(noQuery, request.query);
  return parse(jobParameters, request.params).jobId;
}

/** @throws {ProblemError} `not_found` where no token is set, `sign_in_required` for whoever does not send it */
function workersOnly({ RENDER_WORKER_TOKEN: token }: Pick<Config, "RENDER_WORKER_TOKEN">): RequestHandler {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return (request, response, next) => {
    if (token === undefined) throw new ProblemError("not_found");
    if (!timingSafeEqual(digest(request.headers.authorization ?? ""), digest(`Bearer ${token}`))) {
      response.set("www-authenticate", "Bearer");
      throw new ProblemError("sign_in_required", { detail: "Send the token of the workers." });
    }
    response.set("cache-control", "private, no-store");
    next();
  };
}

/** Takes in bytes as they come, as many as were said and no more. @throws {ProblemError} `too_large`, `invalid_request` when they are not what was said */
async function received(request: Request, sha256: string): Promise<Buffer> {
  const wrong = (detail: string): ProblemError => new ProblemError("invalid_request", { detail });
  const length = Number(request.headers["content-length"] ?? Number.NaN);
  if (!Number.isInteger(length) || length < 1) throw wrong("Say how long the artifact is (content-length).");
  if (length > bounds.explainer.artifactBytes) throw new ProblemError("too_large");
  const hash = createHash("sha256");
  const bytes = Buffer.allocUnsafe(length);
  let at = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (at + chunk.length > length) throw wrong("More bytes came than were said.");
    hash.update(chunk);
    at += chunk.copy(bytes, at);
  }
  if (at < length) throw wrong("Fewer bytes came than were said.");
  if (hash.digest("hex") !== sha256) throw wrong("The bytes are not those that the address names. Upload the artifact again.");
  return bytes;
}

/** Lets so many in at a time; the others wait, so that memory stays bounded. */
function atMost(most: number): <Result>(job: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (job) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await job();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
