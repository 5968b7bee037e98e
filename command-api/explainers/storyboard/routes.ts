import { errorFrame, frameStream, stopsNow } from "@colloquy/infra/http/frames.ts";
import { goneOf } from "@colloquy/infra/http/gone.ts";
import { ProblemError, parse } from "@colloquy/infra/http/problem.ts";
import { perAccount } from "@colloquy/infra/http/rate-limit.ts";
import { requireAccount } from "@colloquy/infra/identity/session.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { type StoryboardFrame, storyboardEditRequest, storyboardRequest } from "@colloquy/schemas/explainers/requests.ts";
import { id, noQuery } from "@colloquy/schemas/payload.ts";
import { type Request, type Response, Router } from "express";
import { NoModelAsked } from "../../model-gateway/failures.ts";
import { type ModelStreams, modelStreams } from "../../model-gateway/streams-at-once.ts";
import type { StoryboardHandlers, StoryboardRun } from "./handlers.ts";
import { StoryboardRejected } from "./rejected.ts";

interface Options {
  handlers: StoryboardHandlers;
  log: Logger;
  /** Ends what is being drawn up with a last word, so that the process can stop. */
  stopping: AbortSignal;
  streams?: ModelStreams;
  heartbeatMs?: number;
  triesPerDay?: number;
}

/**
 * `POST /api/visual-explainers/storyboard` and `PUT …/jobs/:jobId/storyboard`: what is refused at once is a problem, everything else is
 * told in frames, one a line.
 */
export function storyboardRoutes({
  handlers,
  log,
  stopping,
  streams = modelStreams(),
  heartbeatMs = bounds.explainer.heartbeatMs,
  triesPerDay = bounds.explainer.triesPerDay,
}: Options): Router {
  const perMinute = perAccount({ points: bounds.explainer.storyboardsPerMinute, seconds: 60 });
  const perDay = perAccount({ points: triesPerDay, seconds: 86_400 });

  async function answer(
    { id: correlationId }: Request,
    response: Response,
    { accountId, requestId }: { accountId: string; requestId: string },
    carryOut: (run: StoryboardRun) => Promise<StoryboardFrame>,
  ): Promise<void> {
    const gone = goneOf(response);
    const signal = AbortSignal.any([gone, stopping]);
    await perMinute(accountId);
    const written = streams(accountId);
    response.set("cache-control", "private, no-store");
    const frames = frameStream<StoryboardFrame>(response, { gone, heartbeatMs });
    try {
      const request = { accountId, requestId, correlationId };
      // Who presses again and again while no model answers has not used up the minute or the day when one does.
      frames.write(await carryOut({ request, signal, count: () => perDay(accountId), begin: () => frames.begin() }));
    } catch (thrown) {
      if (thrown instanceof NoModelAsked) await perMinute.giveBack(accountId);
      if (gone.aborted) return;
      const error = stopping.aborted && !(thrown instanceof ProblemError) ? stopsNow(thrown) : thrown;
      if (!frames.hasBegun()) throw error;
      const findings = error instanceof StoryboardRejected ? { findings: error.findings } : {};
      frames.write({ ...errorFrame(error, { requestId: correlationId, log, failed: "a storyboard failed" }), ...findings });
    } finally {
      written();
      frames.end();
    }
  }

  return Router()
    .post("/api/visual-explainers/storyboard", async (request, response) => {
      const { accountId } = requireAccount(request);
      parse(noQuery, request.query);
      const asked = parse(storyboardRequest, request.body);
      await answer(request, response, { accountId, requestId: asked.requestId }, (run) => handlers.draw(asked, run));
    })
    .put("/api/visual-explainers/jobs/:jobId/storyboard", async (request, response) => {
      const { accountId } = requireAccount(request);
      parse(noQuery, request.query);
      const jobId = parse(id, request.params.jobId);
      const asked = parse(storyboardEditRequest, request.body);
      await answer(request, response, { accountId, requestId: asked.requestId }, (run) => handlers.edit(jobId, asked, run));
    });
}
