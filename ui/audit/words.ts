import type { AuditMoment } from "@colloquy/schemas/audit/requests.ts";
import type { EntryKind, EvidenceEntry } from "@colloquy/schemas/tutor/ledger.ts";
import type { MasteryParameters } from "@colloquy/schemas/tutor/mastery.ts";
import { guessOf } from "@colloquy/schemas/tutor/mastery-1.ts";
import type { Decision, TutorMessage, TutorPhase } from "@colloquy/schemas/tutor/session.ts";
import { formatNumber, msg } from "../messages/page.ts";

const kinds = {
  opened: "audit.opened",
  probe: "audit.probe",
  check: "common.check",
  hint: "common.hint",
  explanation: "audit.explanation",
  asked: "audit.askedBack",
  self_report: "audit.selfReport",
  plan: "audit.plan",
  adapt: "audit.decision",
  question: "common.question",
  teaching: "audit.teaching",
  goal: "audit.goal",
  answer: "audit.answer",
  decision: "audit.decision",
} as const satisfies Record<EntryKind | TutorMessage["kind"], string>;
const phases = {
  probing: "audit.probing",
  planning: "audit.planning",
  teaching: "audit.teaching2",
  checking: "audit.checking",
  adapting: "audit.adapting",
  completed: "audit.completed",
} as const satisfies Record<TutorPhase, string>;

/** A probability with two decimals, so that rows align. */
export const probabilityWords = (probability: number): string =>
  formatNumber(probability, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
export function kindOf({ entry, message }: AuditMoment): string {
  if (entry?.film || (message?.kind === "question" && message.film)) return msg("audit.filmQuestion");
  const kind = entry?.kind ?? message?.kind;
  return kind ? msg(kinds[kind]) : msg("audit.event");
}
export const phaseWords = (phase: TutorPhase): string => msg(phases[phase]);

const decisions = {
  teach: "audit.teach",
  advance: "audit.advance",
  reinforce: "audit.reinforce",
  return: "audit.returnedAnswer",
  replan: "audit.replan",
  wait: "audit.wait",
  pause: "audit.pauseDecision",
  resume: "audit.resume",
  replace: "audit.replaceTheQuestion",
  dispute: "audit.disputeDecision",
  complete: "audit.completeDecision",
} as const satisfies Record<Decision, string>;
/** Decisions that change the session's place on the path. */
const onward = new Set<Decision>(["advance", "replan", "complete"]);

function graded(correct: boolean, aided: boolean): string {
  if (correct) return aided ? msg("audit.correctAided") : msg("audit.correctUnaided");
  return aided ? msg("audit.wrongAided") : msg("audit.wrongUnaided");
}

/** The tone of a moment's outcome: good, bad, a move on the path, or neutral. */
export type Tone = "" | "moved" | "good" | "bad";

/** Whether an answer in own words was left to the learner to compare with the course. */
const isCompared = ({ message }: AuditMoment): boolean => message?.kind === "answer" && message.compared === true;

export function toneOf(moment: AuditMoment): Tone {
  const { entry } = moment;
  if (isCompared(moment)) return "";
  if (entry?.correct !== undefined) return entry.correct ? "good" : "bad";
  if (entry?.decision) return onward.has(entry.decision) ? "moved" : "";
  if (entry?.kind === "plan") return entry.verified ? "moved" : "bad";
  return "";
}

/** A short label of a moment's outcome. */
export function outcomeOf(moment: AuditMoment): string {
  const { entry, message } = moment;
  if (isCompared(moment)) return msg("audit.compared");
  if (entry?.correct !== undefined) return graded(entry.correct, entry.aided);
  if (entry?.decision) return msg(decisions[entry.decision]);
  if (entry?.kind === "plan") return entry.verified ? msg("audit.installed") : msg("audit.refused");
  if (entry?.kind === "opened") return "";
  if (message?.kind === "goal") return msg("audit.answerWords");
  if (message?.kind === "question" || message?.kind === "teaching") return msg("audit.shown");
  return msg("audit.noWeight");
}

/** `.71 → .89` for the objectives that an entry changed. */
export function movementOf(entry: EvidenceEntry | null): string {
  const moved = entry?.objectiveIds.filter((id) => entry.masteryBefore[id] !== entry.masteryAfter[id]) ?? [];
  return moved
    .map((id) => {
      const [before, after] = [entry?.masteryBefore[id] ?? 0, entry?.masteryAfter[id] ?? 0];
      return msg("audit.beforeAfter", { before: probabilityWords(before), after: probabilityWords(after) });
    })
    .join("; ");
}

/** The rule by which an entry changed mastery, or why it did not. */
export function ruleOf(entry: EvidenceEntry, parameters: MasteryParameters): string {
  if (entry.kind === "opened") return msg("audit.everyObjectiveBeginsAt", { probability: probabilityWords(parameters.learned) });
  if (entry.decision === "dispute") return msg("audit.disputedAnswerDoesNotCountMastery");
  if (entry.correct === undefined || entry.selection === undefined) return msg("audit.noWeightOnlyGradedAnswersMove");
  const { selection, choices = 0, aided, evidence } = entry;
  if (evidence?.counts === false) return msg("audit.practiceQuestion");
  if (evidence && aided && entry.correct) return msg("audit.rightWithHelp");
  const [g, s] =
    parameters.version === 1
      ? [guessOf({ selection, choices, aided }, parameters), selection === "text" ? parameters.slipText : parameters.slip]
      : [evidence?.guess ?? 0, evidence?.slip ?? 0];
  const [guess, slip] = [probabilityWords(g), probabilityWords(s)];
  const prior = Object.values(entry.masteryBefore)[0] ?? 0;
  return msg("audit.bayesianUpdatePriorGuess", {
    prior: probabilityWords(prior),
    guess,
    slip,
    transit: probabilityWords(parameters.transit),
  });
}
