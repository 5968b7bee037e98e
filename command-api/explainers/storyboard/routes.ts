import { errorFrame, frameStream, serviceStopping } from "@colloquy/infra/http/frames.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { rateLimitPerAccount } from "@colloquy/infra/http/rate-limit.ts";
import { type Call, route, sent, serve } from "@colloquy/infra/http/route.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { drawStoryboard, editStoryboard, previewStoryboard } from "@colloquy/schemas/contracts/explainers.ts";
import type { StoryboardFrame } from "@colloquy/schemas/explainers/requests.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import type { Router } from "express";
import { NoModelAvailable } from "../../model-gateway/failures.ts";
import { type ModelStreamLimit, modelStreamLimit } from "../../model-gateway/stream-limit.ts";
import type { StoryboardHandlers, StoryboardRun } from "./handlers.ts";
import type { PreviewStoryboard } from "./preview.ts";
import { StoryboardRejected } from "./review.ts";

interface Options {
  handlers: StoryboardHandlers;
  preview: PreviewStoryboard;
  log: Logger;
  /** Ends running drafts with a last frame, so that the process can stop. */
  stopping: AbortSignal;
  streams?: ModelStreamLimit;
  heartbeatMs?: number;
  triesPerDay?: number;
}

/** An early refusal is a problem response; later failures are frames. */
export function storyboardRoutes({
  handlers,
  preview,
  log,
  stopping,
  streams = modelStreamLimit(),
  heartbeatMs = filmBounds.heartbeatMs,
  triesPerDay = filmBounds.triesPerDay,
}: Options): Router {
  const perDay = rateLimitPerAccount({ points: triesPerDay, seconds: 86_400 });

  async function answer(
    { account: { accountId }, body: { requestId }, requestId: correlationId, response, signal: gone, refund }: StoryboardCall,
    carryOut: (run: StoryboardRun) => Promise<StoryboardFrame>,
  ): Promise<typeof sent> {
    const signal = AbortSignal.any([gone, stopping]);
    const written = streams(accountId);
    const frames = frameStream<StoryboardFrame>(response, { gone, heartbeatMs });
    try {
      const request = { accountId, requestId, correlationId };
      // Retrying while no model answers uses up neither limit.
      frames.write(await carryOut({ request, signal, count: () => perDay(accountId), begin: () => frames.begin() }));
    } catch (thrown) {
      if (thrown instanceof NoModelAvailable) await refund();
      if (gone.aborted) return sent;
      const error = stopping.aborted && !(thrown instanceof ProblemError) ? serviceStopping(thrown) : thrown;
      if (!frames.hasBegun()) throw error;
      const findings = error instanceof StoryboardRejected ? { findings: error.findings } : {};
      frames.write({ ...errorFrame(error, { requestId: correlationId, log, failed: "a storyboard failed" }), ...findings });
    } finally {
      written();
      frames.end();
    }
    return sent;
  }

  return serve([
    route(drawStoryboard, (call) => answer(call, (run) => handlers.draft(call.body, run))),
    route(editStoryboard, (call) => answer(call, (run) => handlers.edit(call.parameters.jobId, call.body, run))),
    route(previewStoryboard, async ({ account: { accountId }, parameters, body, requestId }) => ({
      scenes: await preview({ accountId, requestId, correlationId: requestId }, parameters.jobId, body),
    })),
  ]);
}

type StoryboardCall = Call<typeof drawStoryboard> | Call<typeof editStoryboard>;
