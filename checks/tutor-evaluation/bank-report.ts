import type { ObjectiveOutcome } from "./days.ts";
import { cell, type StrategyOutcome } from "./days-report.ts";
import { declaredIn, shareOf } from "./outcomes.ts";

/** Sizes of banks, in questions on each objective. */
export const bankSizes = [6, 11] as const;
/** The learners that meet them. */
export const bankLearners: readonly string[] = ["knows it", "blind guesser", "rules out one of four", "rules out two of four"];

export interface BankOutcome extends StrategyOutcome {
  perObjective: number;
}

/** Of what a learner had from beginning to end, what was not confirmed though every question of the bank was asked. */
function wanting(outcomes: readonly ObjectiveOutcome[], perObjective: number) {
  const known = outcomes.filter(({ hadFirst, hadLast }) => hadFirst && hadLast);
  const left = known.filter(({ confirmed, asked }) => confirmed === null && asked.size >= perObjective);
  return shareOf(left.length, known.length);
}

/** What learners come to where only questions of the course's own count, and there are few of them. */
export function bankReport(all: readonly BankOutcome[], { seed, count, days }: { seed: number; count: number; days: number }): string {
  const rows = all.map(({ perObjective, strategy, outcomes }) => {
    const { falsely, falselyOfLacked, missed, answers } = declaredIn(outcomes, "confirmed");
    const shares = [falsely, falselyOfLacked, missed, wanting(outcomes, perObjective)].map(cell);
    return `| ${[perObjective, strategy.name, ...shares, answers?.toFixed(1) ?? ""].join(" | ")} |`;
  });
  return `${[
    "## Banks of an author's own questions",
    `Confirmed mastery with no model that can check questions, so that only the course's own count: recall and application in seven kinds. ${count} learners of each kind with two objectives, on ${days} following days, seed ${seed}. “For want of questions”: known, not confirmed, and every question was asked.`,
    [
      "| questions an objective | learner | falsely of declared | falsely of lacked | missed of known | for want of questions | questions |",
      "|---|---|---|---|---|---|---|",
      ...rows,
    ].join("\n"),
  ].join("\n\n")}\n`;
}
