import type { Decision, Reason, TutorMessage, TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { html, nothing, type TemplateResult } from "lit";
import { fromEnglish, msg, rich } from "../messages/page.ts";

/** Why a session goes on as it does, in the reader's language; what the service sends in English serves programs. */

type DecisionMessage = Extract<TutorMessage, { kind: "decision" }>;
/** Where the names of steps are found. */
type Steps = { readonly [part in "path" | "messages"]: Readonly<TutorSession[part]> };

/** Sentences by decision and, where it matters, reason: those with a step's name first. */
const sentencesWithStep = {
  "teach another_angle": "tutor.taughtAnotherSide",
  teach: "tutor.comesNextNeedsComes",
  "advance mastered": "tutor.answersShowCanDo",
  "advance no_new_question": "tutor.leftLaterQuestionWhose",
  advance: "tutor.leftLaterSeveralExplanations",
  "reinforce wrong_answer": "tutor.answerRightSoLooked",
  "replan prerequisite_failed": "tutor.leansSomethingMasteredSo",
  replan: "tutor.didGetFurtherWay",
} as const;
const sentences = {
  "reinforce aided_answer": "tutor.answerGivenHelpCounts",
  reinforce: "tutor.rightOneMoreQuestion",
  wait: "tutor.planCouldVerifiedAgainst",
  pause: "tutor.pausedEverythingKept",
  resume: "tutor.youWentOn",
  replace: "tutor.askedAnotherQuestionNothing",
  dispute: "tutor.disputedGradeGivenModel",
  "complete mastered": "tutor.masteredEverythingPath",
  complete: "tutor.pathEnd",
} as const;

type Sentence = (typeof sentencesWithStep)[keyof typeof sentencesWithStep];

const from = <Table extends Record<string, string>>(table: Table, decision: Decision, reason: Reason): Table[keyof Table] | undefined =>
  (table[`${decision} ${reason}`] as Table[keyof Table] | undefined) ?? (table[decision] as Table[keyof Table] | undefined);

/** A step's name: it may be on the path no longer, but it was planned or taught. */
function stepTitle({ path, messages }: Steps, stepId: string | null): string {
  const known = path.find((step) => step.stepId === stepId)?.title;
  if (known !== undefined) return known;
  for (const message of messages) {
    if (message.kind === "teaching" && message.stepId === stepId) return message.title;
    const planned = message.kind === "plan" && message.steps.find((step) => step.stepId === stepId);
    if (planned) return planned.title;
  }
  return "";
}

/** A decision as it is shown: the step's name stands in its own direction, and in its language where that is known. */
export function decisionView(made: DecisionMessage, session: Steps & { language?: string }): TemplateResult {
  const step = stepTitle(session, made.stepId);
  const sentence: Sentence | undefined = from(sentencesWithStep, made.decision, made.reason);
  if (sentence && step) return html`${rich(sentence, { step: html`<bdi lang=${session.language ?? nothing}>${step}</bdi>` })}`;
  return html`${decisionText(made, session)}`;
}

/** The same as a plain text, to be heard. */
export function decisionText(
  { decision, reason, stepId, text }: Pick<DecisionMessage, "decision" | "reason" | "stepId" | "text">,
  session: Steps,
): string {
  const step = stepTitle(session, stepId);
  const sentence: Sentence | undefined = from(sentencesWithStep, decision, reason);
  if (sentence && step) return msg(sentence, { step });
  const other = from(sentences, decision, reason);
  return other ? msg(other) : fromEnglish(text);
}

/** Why this is asked or taught now. */
export interface Why {
  words: TemplateResult;
  /** The number of its entry in the ledger. */
  receipt: number | null;
}

/** The learner's own coming and going is no reason for what comes next. */
const notAboutNext = new Set<Decision>(["pause", "resume", "complete"]);

/**
 * Why the session goes on as it does: the last decision about what comes next; before the first one, the rule by which a first question
 * is chosen, or what led to the first step. Null when nothing comes next.
 */
export function whyNext(session: TutorSession): Why | null {
  const { messages, phase, current } = session;
  if (phase === "completed") return null;
  const last = messages.findLast(
    (message): message is DecisionMessage => message.kind === "decision" && !notAboutNext.has(message.decision),
  );
  if (last) return { words: decisionView(last, session), receipt: last.receipt };
  if (current?.kind === "probe") return { words: html`${probeWords(current.attempt)}`, receipt: null };
  const taught = messages.findLast((message) => message.kind === "teaching");
  if (taught?.kind !== "teaching") return null;
  return {
    words: html`${rich(sentencesWithStep.teach, { step: html`<bdi lang=${session.language}>${taught.title}</bdi>` })}`,
    receipt: taught.receipt,
  };
}

const probeWords = (attempt: number): string => (attempt > 1 ? msg("tutor.answersLeaveObjectiveLeast") : msg("tutor.eachObjectiveGetsOne"));
