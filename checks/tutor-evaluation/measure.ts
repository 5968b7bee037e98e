import { masteredIn } from "@colloquy/schemas/tutor/replay.ts";
import type { LearnersSession } from "./simulate.ts";

/** What a set of sessions comes to. Shares are of objectives. */
export interface Measured {
  sessions: number;
  deadlocks: number;
  /** Declared mastered when the learner did not have it, of those it lacked then or at the end. */
  falseMastery: number;
  /** The same, of everything declared mastered. */
  falseOfDeclared: number;
  /** Declared rightly and forgotten since: what review is for. */
  forgotten: number;
  /** Not declared, of those the learner had at the end. */
  missedMastery: number;
  /** Answers to a decision on what the learner had from the beginning. */
  items: number;
  leaks: number;
  gainedByClaims: number;
  /** Mean of (predicted chance of a right answer - outcome)²: 0.25 is a coin. */
  brier: number;
}

export function measure(all: readonly LearnersSession[]): Measured {
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
  const outcomes = all.flatMap(({ state, learner, declaredFalsely }) =>
    state.objectives.map(({ objectiveId }) => {
      const declared = masteredIn(state.ledger, objectiveId);
      const has = learner.has(objectiveId);
      return { declared, has, falsely: declared && declaredFalsely.has(objectiveId) };
    }),
  );
  const share = (of: typeof outcomes, that: (one: (typeof outcomes)[number]) => boolean): number =>
    of.length ? of.filter(that).length / of.length : 0;
  const items = all.flatMap(({ itemsToMastery }) => itemsToMastery);
  const predictions = all.flatMap((one) => one.predictions);
  const { slip } = all[0]?.state.ledger.parameters ?? { slip: 0.1 };
  return {
    sessions: all.length,
    deadlocks: all.filter(({ deadlocked }) => deadlocked).length,
    falseMastery: share(
      outcomes.filter(({ has, declared, falsely }) => falsely || (!has && !declared)),
      ({ falsely }) => falsely,
    ),
    falseOfDeclared: share(
      outcomes.filter(({ declared }) => declared),
      ({ falsely }) => falsely,
    ),
    forgotten: share(outcomes, ({ declared, has, falsely }) => declared && !has && !falsely),
    missedMastery: share(
      outcomes.filter(({ has }) => has),
      ({ declared }) => !declared,
    ),
    items: items.length ? sum(items) / items.length : 0,
    leaks: sum(all.map(({ leaks }) => leaks)),
    gainedByClaims: sum(all.map(({ gainedByClaims }) => gainedByClaims)),
    brier: predictions.length
      ? sum(predictions.map(({ before, correct }) => (chanceOf(before, slip) - Number(correct)) ** 2)) / predictions.length
      : 0,
  };
}

/** Predicted chances of a right answer in fifths, each with what was observed. */
export function calibration(all: readonly LearnersSession[]): { predicted: number; observed: number; answers: number }[] {
  const chances = all.flatMap(({ predictions, state }) =>
    predictions.map((one) => ({ ...one, chance: chanceOf(one.before, state.ledger.parameters.slip) })),
  );
  return [0.3, 0.45, 0.6, 0.75, 0.95].flatMap((below, place, edges) => {
    const own = chances.filter(({ chance }) => chance < below && chance >= (edges[place - 1] ?? 0));
    const mean = (of: (one: (typeof own)[number]) => number): number => own.reduce((sum, one) => sum + of(one), 0) / own.length;
    return own.length === 0
      ? []
      : [{ predicted: mean(({ chance }) => chance), observed: mean(({ correct }) => Number(correct)), answers: own.length }];
  });
}

/** Of a right answer to a question with four choices. */
const chanceOf = (before: number, slip: number): number => before * (1 - slip) + (1 - before) * 0.25;

/** The fixed test it is held against: five questions, four right are enough. Its errors, from the binomial distribution. */
export function fixedTest(guess: number, slip: number): { questions: number; falseMastery: number; missedMastery: number } {
  const exactly = (right: number, chance: number): number => choose(5, right) * chance ** right * (1 - chance) ** (5 - right);
  const passes = (chance: number): number => exactly(4, chance) + exactly(5, chance);
  return { questions: 5, falseMastery: passes(guess), missedMastery: 1 - passes(1 - slip) };
}

const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k);
