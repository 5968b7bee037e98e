import type { Config } from "@colloquy/infra/config.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { type Admission, route, sent, serve } from "@colloquy/infra/http/route.ts";
import { limitConcurrency } from "@colloquy/infra/limit-concurrency.ts";
import { hasBearerToken } from "@colloquy/infra/telemetry/bearer-token.ts";
import { isTraceparent } from "@colloquy/infra/telemetry/span.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import * as contracts from "@colloquy/schemas/contracts/workers.ts";
import { stagesHeader } from "@colloquy/schemas/explainers/stages.ts";
import { workerFiguresHeader } from "@colloquy/schemas/explainers/worker-figures.ts";
import type { Router } from "express";
import { receivedBytes } from "./received-bytes.ts";
import { traceStages } from "./trace-stages.ts";
import type { ExplainerWork } from "./worker.ts";
import type { HeardWorkers } from "./worker-figures.ts";

/** How often an upload checks that its worker still holds the lease. */
const checkEveryMs = 1_000;

interface Needs {
  config: Pick<Config, "RENDER_WORKER_TOKEN">;
  work: ExplainerWork;
  heard: Pick<HeardWorkers, "hear">;
}

/** The boundary to render workers: who has the token is one. It stands before the sessions, so that no cookie is looked at. */
export function workerRoutes({ config, work, heard }: Needs): Router {
  const uploads = limitConcurrency(bounds.explainer.uploadsAtOnce);
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
        await work.holds(jobId, leaseId);
        await uploads(async () => {
          // An upload whose worker is gone would keep the others waiting for as long as its connection stands.
          const check = setInterval(() => void work.holds(jobId, leaseId).catch((error: Error) => request.destroy(error)), checkEveryMs);
          const bytes = await receivedBytes(request, sha256).finally(() => clearInterval(check));
          // The lease may have expired meanwhile.
          await work.holds(jobId, leaseId);
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

/** @throws {ProblemError} `not_found` where no token is configured, `sign_in_required` for a caller who does not send it */
function admitWorkers({ RENDER_WORKER_TOKEN: token }: Needs["config"], heard: Needs["heard"]): Admission {
  return (request, response) => {
    if (token === undefined) throw new ProblemError("not_found");
    if (!hasBearerToken(request, token)) {
      response.set("www-authenticate", "Bearer");
      throw new ProblemError("sign_in_required", { detail: "Send the token of the workers." });
    }
    heard.hear(request.get(workerFiguresHeader) ?? "");
  };
}
