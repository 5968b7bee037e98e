import type { AuditMoment } from "@colloquy/schemas/audit/requests.ts";
import type { EntryKind, EvidenceEntry } from "@colloquy/schemas/tutor/ledger.ts";
import { guessOf, type MasteryParameters } from "@colloquy/schemas/tutor/mastery.ts";
import type { Decision, TutorMessage, TutorPhase } from "@colloquy/schemas/tutor/session.ts";
import { formatNumber, marked, msg } from "../messages/page.ts";

const kinds = {
  opened: marked("Opened|the session"),
  probe: marked("Probe"),
  check: marked("Check"),
  hint: marked("Hint"),
  explanation: marked("Explanation"),
  self_report: marked("Self-report"),
  plan: marked("Plan"),
  adapt: marked("Decision"),
  question: marked("Question"),
  teaching: marked("Teaching"),
  goal: marked("Goal"),
  answer: marked("Answer"),
  decision: marked("Decision"),
} satisfies Record<EntryKind | TutorMessage["kind"], string>;
const phases = {
  probing: marked("probing"),
  planning: marked("planning"),
  teaching: marked("teaching"),
  checking: marked("checking"),
  adapting: marked("adapting"),
  completed: marked("completed"),
} satisfies Record<TutorPhase, string>;

/** A probability as an auditor compares it: two places, so that rows stand under one another. */
export const probabilityWords = (probability: number): string =>
  formatNumber(probability, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
export function kindOf({ entry, message }: AuditMoment): string {
  if (entry?.film || (message?.kind === "question" && message.film)) return msg("Film question");
  const kind = entry?.kind ?? message?.kind;
  return kind ? msg(kinds[kind]) : msg("Event");
}
export const phaseWords = (phase: TutorPhase): string => msg(phases[phase]);

const decisions = {
  teach: marked("Teach"),
  advance: marked("Advance"),
  reinforce: marked("Reinforce"),
  replan: marked("Replan"),
  wait: marked("Wait"),
  pause: marked("Pause|decision"),
  resume: marked("Resume"),
  replace: marked("Replace the question"),
  dispute: marked("Dispute|decision"),
  complete: marked("Complete|decision"),
} satisfies Record<Decision, string>;
/** Decisions that change where on the path the session is. */
const onward = new Set<Decision>(["advance", "replan", "complete"]);

function graded(correct: boolean, aided: boolean): string {
  if (correct) return aided ? msg("Correct, aided") : msg("Correct, unaided");
  return aided ? msg("Wrong, aided") : msg("Wrong, unaided");
}

/** Whether what came of a moment is good news, bad, moves the session on its path, or none of these. */
export type Tone = "" | "moved" | "good" | "bad";

export function toneOf({ entry }: AuditMoment): Tone {
  if (entry?.correct !== undefined) return entry.correct ? "good" : "bad";
  if (entry?.decision) return onward.has(entry.decision) ? "moved" : "";
  if (entry?.kind === "plan") return entry.verified ? "moved" : "bad";
  return "";
}

/** What came of a moment, in a word or two. */
export function outcomeOf({ entry, message }: AuditMoment): string {
  if (entry?.correct !== undefined) return graded(entry.correct, entry.aided);
  if (entry?.decision) return msg(decisions[entry.decision]);
  if (entry?.kind === "plan") return entry.verified ? msg("Installed") : msg("Refused");
  if (entry?.kind === "opened") return "";
  if (message?.kind === "goal") return msg("Said");
  if (message?.kind === "question" || message?.kind === "teaching") return msg("Shown");
  return msg("No weight");
}

/** `.71 → .89` of the objectives an entry moved. */
export function movementOf(entry: EvidenceEntry | null): string {
  const moved = entry?.objectiveIds.filter((id) => entry.masteryBefore[id] !== entry.masteryAfter[id]) ?? [];
  return moved
    .map((id) => {
      const [before, after] = [entry?.masteryBefore[id] ?? 0, entry?.masteryAfter[id] ?? 0];
      return msg("{before} → {after}", { before: probabilityWords(before), after: probabilityWords(after) });
    })
    .join("; ");
}

/** By which rule an entry moved mastery, or why it did not. */
export function ruleOf(entry: EvidenceEntry, parameters: MasteryParameters): string {
  if (entry.kind === "opened")
    return msg("Every objective begins at {probability}.", { probability: probabilityWords(parameters.learned) });
  if (entry.decision === "dispute") return msg("The disputed answer is set aside; mastery is what the others come to.");
  if (entry.correct === undefined || entry.selection === undefined) return msg("No weight: only graded answers move mastery.");
  const { selection, choices = 0, aided } = entry;
  const guess = probabilityWords(guessOf({ selection, choices, aided }, parameters));
  const slip = probabilityWords(selection === "text" ? parameters.slipText : parameters.slip);
  const prior = Object.values(entry.masteryBefore)[0] ?? 0;
  return msg("Bayesian update: prior {prior}, guess {guess}, slip {slip}, learned on the way {transit}.", {
    prior: probabilityWords(prior),
    guess,
    slip,
    transit: probabilityWords(parameters.transit),
  });
}
