import { masteryParameters } from "@colloquy/schemas/tutor/mastery.ts";
import type { Decision, Reason, TutorMessage, TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { html, nothing, type TemplateResult } from "lit";
import { formatNumber, fromEnglish, msg, rich } from "../messages/page.ts";

/** Explains the tutor's decisions in the reader's language; the service's English texts are for programs. */

type DecisionMessage = Extract<TutorMessage, { kind: "decision" }>;
/** The parts of a session that name its steps, and the answers behind its decisions. */
type Steps = { readonly [part in "path" | "messages"]: Readonly<TutorSession[part]> } & { readonly mastery?: TutorSession["mastery"] };

/** Message keys by decision, or by decision and reason; these name a step. */
const sentencesWithStep = {
  "teach another_angle": "tutor.explainedAnotherWay",
  teach: "tutor.nextStepOfPath",
  "advance mastered": "tutor.answersShowCanDo",
  "advance practice_only": "tutor.practisedNotMastered",
  "advance no_new_question": "tutor.leftLaterNoOtherQuestion",
  advance: "tutor.leftLaterNotShown",
  "reinforce wrong_answer": "tutor.answerNotRightYetComesAgain",
  "replan prerequisite_failed": "tutor.dependsSomethingNotMasteredYetPath",
  replan: "tutor.tooLittleProgressPlannedAgain",
} as const;
const sentences = {
  "reinforce aided_answer": "tutor.aidedAnotherFollows",
  "reinforce unchecked": "tutor.uncheckedAnotherFollows",
  "reinforce other_kind": "tutor.rightOtherKind",
  "reinforce other_objective": "tutor.rightOtherObjective",
  "reinforce practice_next": "tutor.otherObjectiveNext",
  reinforce: "tutor.rightMoreCertain",
  wait: "tutor.noPlanCouldVerifiedAgainstCourse",
  pause: "tutor.pausedEverythingKept",
  resume: "tutor.continued",
  replace: "tutor.askedAnotherQuestionNothing",
  dispute: "tutor.disputedModelsGradeNoLongerCounts",
  return: "tutor.answerRepeatsShownText",
  "complete mastered": "tutor.masteredEverythingPath",
  complete: "tutor.pathEnd",
} as const;

type Sentence = (typeof sentencesWithStep)[keyof typeof sentencesWithStep];

const from = <Table extends Record<string, string>>(table: Table, decision: Decision, reason: Reason): Table[keyof Table] | undefined =>
  (table[`${decision} ${reason}`] as Table[keyof Table] | undefined) ?? (table[decision] as Table[keyof Table] | undefined);

/** A step that has left the path still has a name in the plan or lesson that mentioned it. */
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

/** A decision for display: the step's name keeps its own text direction and, if known, its language. */
export function decisionView(made: DecisionMessage, session: Steps & { language?: string }): TemplateResult {
  const step = stepTitle(session, made.stepId);
  const sentence: Sentence | undefined = from(sentencesWithStep, made.decision, made.reason);
  if (sentence && step) return html`${rich(sentence, { step: html`<bdi lang=${session.language ?? nothing}>${step}</bdi>` })}`;
  return html`${decisionText(made, session)}`;
}

/** A decision as plain text, for announcements. */
export function decisionText(
  { decision, reason, stepId, text, receipt }: Pick<DecisionMessage, "decision" | "reason" | "stepId" | "text" | "receipt">,
  session: Steps,
): string {
  if (decision === "reinforce" && reason === "more_evidence") return moreCertainWords(receipt, session);
  const step = stepTitle(session, stepId);
  const sentence: Sentence | undefined = from(sentencesWithStep, decision, reason);
  if (sentence && step) return msg(sentence, { step });
  const other = from(sentences, decision, reason);
  return other ? msg(other) : fromEnglish(text);
}

/** How certain the answer made it that the decision follows; in older ledgers something else than certainty can be missing. */
function moreCertainWords(receipt: number | null, { mastery = [] }: Steps): string {
  const answer = mastery.flatMap(({ evidence }) => evidence).find((one) => receipt !== null && one.receipt === receipt - 1);
  const { threshold } = masteryParameters;
  if (!answer || answer.probability >= threshold) return msg("tutor.rightMoreCertain");
  const percent = (share: number): string => formatNumber(share, { style: "percent" });
  return msg("tutor.rightEstimate", { known: percent(answer.probability), threshold: percent(threshold) });
}

/** Why the current question or lesson was chosen. */
export interface Why {
  words: TemplateResult;
  /** The number of the decision's ledger entry. */
  receipt: number | null;
}

/** Decisions that do not explain what comes next, and those that explain only the next question. */
const notAboutNext = new Set<Decision>(["pause", "resume", "complete"]);
const aboutOneQuestion = new Set<Decision>(["replace", "dispute", "return"]);

/**
 * The last decision about what comes next. Before the first decision: the rule that chooses a probe, or why the first step comes first.
 * Null when nothing comes next.
 */
export function whyNext(session: TutorSession): Why | null {
  const { messages, phase, current } = session;
  if (phase === "completed") return null;
  const answered = messages.findLastIndex(({ kind }) => kind === "answer");
  const last = messages.findLast(
    (message, index): message is DecisionMessage =>
      message.kind === "decision" && !notAboutNext.has(message.decision) && (index > answered || !aboutOneQuestion.has(message.decision)),
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

const probeWords = (attempt: number): string =>
  attempt > 1 ? msg("tutor.answersLeaveObjectiveLeast") : msg("tutor.eachObjectiveGetsPlacement");
