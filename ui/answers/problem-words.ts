import { en } from "@colloquy/messages/en.ts";
import type { PlainMessageKey } from "@colloquy/messages/translator.ts";
import type { ErrorCode } from "@colloquy/schemas/errors.ts";
import { type ClientProblem, problemTitle, problemTitleOfCode } from "../api/problems.ts";
import { fromEnglish, msg } from "../messages/page.ts";

export interface ProblemWords {
  title: string;
  /** What the reader can do about it. */
  advice: string;
  action: "retry" | "sign-in" | null;
  /** Whether the model can be asked to go on from where a partial text ends. */
  canContinue: boolean;
}

const advice: Partial<Record<ErrorCode, PlainMessageKey>> = {
  ai_unavailable: "conversation.waitMomentTryAgain",
  ai_timeout: "conversation.tryAgainAskLess",
  rate_limited: "conversation.askedLotShortTime",
  quota_exhausted: "conversation.tryAgainLaterChoose",
  unknown_reference: "conversation.attachedSourceLongerCourse",
  model_not_capable: "conversation.chooseAnotherModelBelow",
  nothing_to_ask: "conversation.nameAnotherGoalTopic",
  too_long: "conversation.shortenTheQuestion",
  too_many: "conversation.removeAttachedSourceBegin",
  too_large: "conversation.beginNewConversationOne",
  sign_in_required: "conversation.questionKeptSignAsk",
  unsupported_schema_version: "conversation.newerVersionReloadPage",
};

/** Details of the service that give better advice than the code. */
const precise = ["conversation.modelNotAvailableChooseAnotherAutomatic", "conversation.modelCannotTutorChoose"] as const;

/** A failed turn's text: what happened and what to do. `partly`: what of the answer had arrived. */
export function problemWords(problem: ClientProblem, partly: "text" | "quiz" | null = null): ProblemWords {
  const retry = problem.retryable || problem.code === "unknown_reference" || problem.code === "model_not_capable";
  // A model that wrote a part could answer, so the standard text of the code would be wrong.
  const isStandard = problem.code === "ai_unavailable" && problemTitle(problem) === problemTitleOfCode("ai_unavailable");
  const happened = partly && isStandard ? msg("conversation.modelConnectionBroke") : problemTitle(problem);
  const known = precise.find((key) => en[key] === problem.detail) ?? advice[problem.code];
  return {
    title: partly ? msg("conversation.answerInterruptedHereTextFarKept") : happened,
    advice:
      (partly ? happened : "") ||
      (known ? msg(known) : problem.detail ? fromEnglish(problem.detail) : "") ||
      (retry ? msg("api.nothingWroteLostTry") : ""),
    action: problem.code === "sign_in_required" ? "sign-in" : retry ? "retry" : null,
    canContinue: partly === "text" && retry,
  };
}
