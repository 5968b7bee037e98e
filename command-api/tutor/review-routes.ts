import { route, serve } from "@colloquy/infra/http/route.ts";
import { answerReview } from "@colloquy/schemas/contracts/review.ts";
import type { Router } from "express";
import type { ReviewAnswers } from "./review-answers.ts";

/** Answers given in Review. */
export function reviewAnswerRoutes({ answers }: { answers: ReviewAnswers }): Router {
  return serve([
    route(answerReview, ({ body, account: { accountId }, requestId: correlationId }) =>
      answers(body, { accountId, requestId: body.requestId, correlationId }),
    ),
  ]);
}
