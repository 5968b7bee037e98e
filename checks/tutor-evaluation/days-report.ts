import { masteryParameters } from "@colloquy/schemas/tutor/mastery.ts";
import type { ObjectiveOutcome } from "./days.ts";
import { declaredIn, type Share } from "./outcomes.ts";
import type { Strategy } from "./strategies.ts";

/** The most that may be declared falsely, of what is declared confirmed; and the most questions for who knows (slip 8 %). */
export const goals: Readonly<Record<string, number>> = {
  "blind guesser": 0.01,
  "rules out one of four": 0.03,
  "rules out two of four": 0.06,
  memoriser: 0.03,
  copier: 0.03,
  "test-wise": 0.04,
  "weak partial knowledge": 0.1,
};
export const mostQuestions = 7;

export interface StrategyOutcome {
  strategy: Strategy;
  outcomes: readonly ObjectiveOutcome[];
}

const percent = (share: number): string => (share * 100).toFixed(1);
/** "1.7 % (0.3–9.1), 1 of 59". */
export const cell = ({ count, of, low, high }: Share): string =>
  of === 0 ? "none" : `${percent(count / of)} % (${percent(low)}–${percent(high)}), ${count} of ${of}`;

/** A Markdown table of what each kind of learner comes to, for provisional or for confirmed mastery. */
export function table(all: readonly StrategyOutcome[], which: "provisional" | "confirmed"): string {
  const rows = all.map(({ strategy, outcomes }) => {
    const { falsely, falselyOfLacked, missed, answers } = declaredIn(outcomes, which);
    const cells = [strategy.name, cell(falsely), cell(falselyOfLacked), cell(missed), answers === null ? "" : answers.toFixed(1)];
    return `| ${cells.join(" | ")} |`;
  });
  return ["| learner | falsely of declared | falsely of lacked | missed of known | questions |", "|---|---|---|---|---|", ...rows].join(
    "\n",
  );
}

/** The goals with what was measured, and whether all are met. */
export function goalTable(all: readonly StrategyOutcome[]): { text: string; met: boolean } {
  const rows = all.flatMap(({ strategy, outcomes }) => {
    const { falsely, answers } = declaredIn(outcomes, "confirmed");
    const goal = goals[strategy.name];
    const share = falsely.of === 0 ? 0 : falsely.count / falsely.of;
    if (strategy.name === "knows it") {
      const met = answers !== null && answers <= mostQuestions;
      return [
        {
          met,
          row: `| ${strategy.name} | at most ${mostQuestions} questions | ${answers?.toFixed(1) ?? "none"} | ${met ? "met" : "missed"} |`,
        },
      ];
    }
    if (goal === undefined) return [];
    return [
      {
        met: share <= goal,
        row: `| ${strategy.name} | at most ${percent(goal)} % | ${cell(falsely)} | ${share <= goal ? "met" : "missed"} |`,
      },
    ];
  });
  const text = ["| learner | goal, of what is confirmed | measured | |", "|---|---|---|---|", ...rows.map(({ row }) => row)].join("\n");
  return { text, met: rows.every(({ met }) => met) };
}

/** The whole report: goals, learners that parameters were chosen with, learners that were held out. */
export function daysReport(
  all: readonly StrategyOutcome[],
  { seed, count, days }: { seed: number; count: number; days: number },
): { text: string; met: boolean } {
  const of = (heldOut: boolean): StrategyOutcome[] => all.filter(({ strategy }) => (strategy.heldOut ?? false) === heldOut);
  const goal = goalTable(all);
  const parts = [
    `Policy ${masteryParameters.version}: ${JSON.stringify(masteryParameters)}`,
    `${count} learners of each kind with two objectives, on ${days} following days, seed ${seed}. Intervals: 95 %, Wilson.`,
    "## Goals",
    goal.text,
    ...(["confirmed", "provisional"] as const).flatMap((which) => [
      `## ${which === "confirmed" ? "Confirmed" : "Provisional"} mastery`,
      "Learners that the parameters were chosen with:",
      table(of(false), which),
      "Learners that were held out until the parameters were chosen:",
      table(of(true), which),
    ]),
  ];
  return { text: `${parts.join("\n\n")}\n`, met: goal.met };
}
