import type { AuditMoment } from "@colloquy/schemas/audit.ts";
import type { EvidenceEntry } from "@colloquy/schemas/tutor/ledger.ts";
import { guessOf, type MasteryParameters } from "@colloquy/schemas/tutor/mastery.ts";

const kinds: Record<string, string> = {
  ...{ opened: "Opened", probe: "Probe", check: "Check", hint: "Hint", explanation: "Explanation", self_report: "Self-report" },
  ...{ plan: "Plan", adapt: "Decision", question: "Question", teaching: "Teaching", goal: "Goal", answer: "Answer", decision: "Decision" },
};

export const percent = (probability: number): string => probability.toFixed(2);
export const kindOf = ({ entry, message }: AuditMoment): string => kinds[entry?.kind ?? message?.kind ?? ""] ?? "Event";

/** What came of a moment, in a word or two, and whether that is good or bad news. */
export function outcomeOf({ entry, message }: AuditMoment): { text: string; tone: "good" | "bad" | "" } {
  if (entry?.correct !== undefined)
    return { text: `${entry.correct ? "Correct" : "Wrong"}${entry.aided ? ", aided" : ""}`, tone: entry.correct ? "good" : "bad" };
  if (entry?.decision) return { text: entry.decision.replaceAll("_", " "), tone: "" };
  if (entry?.kind === "plan") return { text: entry.verified ? "Installed" : "Refused", tone: entry.verified ? "" : "bad" };
  if (message?.kind === "question" || message?.kind === "teaching") return { text: "Shown", tone: "" };
  return { text: "No weight", tone: "" };
}

/** `.71 → .89` of the objectives an entry moved. */
export function movementOf(entry: EvidenceEntry | null): string {
  const moved = entry?.objectiveIds.filter((id) => entry.masteryBefore[id] !== entry.masteryAfter[id]) ?? [];
  return moved.map((id) => `${percent(entry?.masteryBefore[id] ?? 0)} → ${percent(entry?.masteryAfter[id] ?? 0)}`).join("; ");
}

/** By which rule an entry moved mastery, or why it did not. */
export function ruleOf(entry: EvidenceEntry, parameters: MasteryParameters): string {
  if (entry.kind === "opened") return `Every objective begins at ${parameters.learned}.`;
  if (entry.decision === "dispute") return "The disputed answer is set aside; mastery is what the others come to.";
  if (entry.correct === undefined || entry.selection === undefined) return "No weight: only graded answers move mastery.";
  const { selection, choices = 0, aided } = entry;
  const guess = percent(guessOf({ selection, choices, aided }, parameters));
  const slip = percent(selection === "text" ? parameters.slipText : parameters.slip);
  const prior = Object.values(entry.masteryBefore)[0] ?? 0;
  return `Bayesian update: prior ${percent(prior)}, guess ${guess}, slip ${slip}, learned on the way ${percent(parameters.transit)}.`;
}
