import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { type Call, route, serve } from "@colloquy/infra/http/route.ts";
import * as contracts from "@colloquy/schemas/contracts/explainers.ts";
import type { Router } from "express";
import type { ExplainerHandlers } from "./handlers.ts";
import type { JobRequest } from "./jobs.ts";

interface Needs {
  handlers: ExplainerHandlers;
  /** The job of a correction; null if there is no such correction. */
  jobOfCorrection(correctionId: string): Promise<string | null>;
}

const contextOf = ({
  account,
  body,
  requestId: correlationId,
}: Pick<Call<typeof contracts.retryRender>, "account" | "body" | "requestId">) =>
  ({ accountId: account.accountId, requestId: body.requestId, correlationId }) satisfies JobRequest;

/**
 * What an account does with its own videos: approve, retry, cancel, report a mistake, answer the closing question. And what an owner of the
 * course does: settle a report, offer a video to everyone.
 */
export function explainerRoutes({ handlers, jobOfCorrection }: Needs): Router {
  return serve([
    route(contracts.settleCorrection, async (call) => {
      const { correctionId } = call.parameters;
      const jobId = await jobOfCorrection(correctionId);
      if (!jobId) throw new ProblemError("not_found");
      return handlers.settle(contextOf(call), jobId, correctionId);
    }),
    route(contracts.renderVideo, async (call) => {
      // The state right after the request, so there are only two.
      const { state, ...job } = await handlers.render(contextOf(call), call.parameters.jobId, call.body);
      return { ...job, state: state === "completed" ? ("completed" as const) : ("queued" as const) };
    }),
    route(contracts.retryRender, (call) => handlers.retry(contextOf(call), call.parameters.jobId)),
    route(contracts.cancelRender, (call) => handlers.cancel(contextOf(call), call.parameters.jobId)),
    route(contracts.reportCorrection, (call) => handlers.correct(contextOf(call), call.parameters.jobId, call.body)),
    route(contracts.offerFilm, (call) => handlers.offer(contextOf(call), call.parameters.jobId)),
    route(contracts.withdrawFilm, (call) => handlers.withdraw(contextOf(call), call.parameters.jobId)),
    route(contracts.answerFilmQuestion, async (call) => {
      const { parameters, body } = call;
      const {
        choice,
        right,
        explanation,
        evidence = null,
        unrecorded = null,
      } = await handlers.answer(contextOf(call), parameters.jobId, body);
      return { correct: choice === right, right, explanation, recorded: evidence !== null, evidence, unrecorded };
    }),
  ]);
}
