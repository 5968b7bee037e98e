import type { ErrorCode } from "@colloquy/schemas/errors.ts";
import type { ClientProblem } from "../api/problems.ts";

export interface ProblemWords {
  title: string;
  /** What one can do about it. */
  advice: string;
  action: "retry" | "sign-in" | null;
}

const advice: Partial<Record<ErrorCode, string>> = {
  ai_unavailable: "Wait a moment and try again, or choose another model below.",
  ai_timeout: "Try again, or ask for less at once.",
  rate_limited: "You asked a lot in a short time.",
  quota_exhausted: "Try again later, or choose another model below.",
  unknown_reference: "An attached source is no longer in its course. Remove it and ask again.",
  model_not_capable: "Choose another model below.",
  too_long: "Shorten the question.",
  too_many: "Remove an attached source, or begin a new conversation.",
  too_large: "Begin a new conversation: this one has grown too long to send along.",
  sign_in_required: "Your question is kept. Sign in and ask again.",
  unsupported_schema_version: "A newer version is there. Reload the page.",
};

/** What a person reads when a turn failed: what happened, and what to do. `partly`: some of the answer had come. */
export function problemWords(problem: ClientProblem, partly = false): ProblemWords {
  const retry = problem.retryable || problem.code === "unknown_reference" || problem.code === "model_not_capable";
  return {
    title: partly ? "The answer broke off here. What had come is kept." : problem.title,
    advice:
      (partly ? problem.title : undefined) ??
      advice[problem.code] ??
      problem.detail ??
      (retry ? "Nothing you wrote is lost. Try again in a moment." : ""),
    action: problem.code === "sign_in_required" ? "sign-in" : retry ? "retry" : null,
  };
}
