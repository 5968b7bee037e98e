import type { ErrorCode } from "@colloquy/schemas/errors.ts";
import { type ClientProblem, titleOf } from "../api/problems.ts";
import { marked, msg, said } from "../messages/page.ts";

export interface ProblemWords {
  title: string;
  /** What one can do about it. */
  advice: string;
  action: "retry" | "sign-in" | null;
}

const advice: Partial<Record<ErrorCode, string>> = {
  ai_unavailable: marked("Wait a moment and try again, or choose another model below."),
  ai_timeout: marked("Try again, or ask for less at once."),
  rate_limited: marked("You asked a lot in a short time."),
  quota_exhausted: marked("Try again later, or choose another model below."),
  unknown_reference: marked("An attached source is no longer in its course. Remove it and ask again."),
  model_not_capable: marked("Choose another model below."),
  nothing_to_ask: marked("Name another goal or topic, or choose another page or course."),
  too_long: marked("Shorten the question."),
  too_many: marked("Remove an attached source, or begin a new conversation."),
  too_large: marked("Begin a new conversation: this one has grown too long to send along."),
  sign_in_required: marked("Your question is kept. Sign in and ask again."),
  unsupported_schema_version: marked("A newer version is there. Reload the page."),
};

/** What the service knows better than its code says. */
const precise: readonly string[] = [
  marked("This model is not here. Choose one that is, or automatic."),
  marked("This model cannot tutor. Choose one that can, or automatic."),
];

/** What a person reads when a turn failed: what happened, and what to do. `partly`: some of the answer had come. */
export function problemWords(problem: ClientProblem, partly = false): ProblemWords {
  const retry = problem.retryable || problem.code === "unknown_reference" || problem.code === "model_not_capable";
  return {
    title: partly ? msg("The answer broke off here. What had come is kept.") : titleOf(problem),
    advice:
      (partly ? titleOf(problem) : "") ||
      said(precise.find((text) => text === problem.detail) ?? advice[problem.code] ?? "") ||
      (problem.detail ? said(problem.detail) : "") ||
      (retry ? msg("Nothing you wrote is lost. Try again in a moment.") : ""),
    action: problem.code === "sign_in_required" ? "sign-in" : retry ? "retry" : null,
  };
}
