import type { Selection } from "./session.ts";

/**
 * Bayesian Knowledge Tracing (Corbett & Anderson 1995, "Knowledge tracing: modeling the acquisition of procedural knowledge"): whether an
 * objective is learned is hidden; each graded answer changes how probable it is.
 *
 *   correct:  P(L|a) = P(L)(1-S) / (P(L)(1-S) + (1-P(L))G)        wrong:  P(L|a) = P(L)S / (P(L)S + (1-P(L))(1-G))
 *   then      P(L) = P(L|a) + (1 - P(L|a)) T
 *
 * The threshold of 0.95 is theirs, and for choices the upper bounds of their tutor (as Baker, Corbett & Aleven 2008 report them) are
 * kept: slip at most 0.1, guess at most 0.3. There are no answers of learners to fit the others to, so they are set by the kind of
 * question: what a blind guess has is known from its choices. `npm run eval:tutor` shows what they come to.
 */
export interface MasteryParameters {
  version: 1;
  /** P(L0): before any answer. */
  learned: number;
  /** T: learned from answering a question and reading what comes of it. */
  transit: number;
  /** S: knows it and answers wrongly. */
  slip: number;
  /** G of a question with several right choices, and of a text answer, which a model grades. */
  guess: { multiple: number; text: number };
  /** S of a text answer. */
  slipText: number;
  /** G of an answer after a hint or the explanation, or to a question asked before: it says little. */
  guessAided: number;
  /** What makes mastery, with two correct unaided answers to different questions, the latest answer among them. */
  threshold: number;
}

export const masteryParameters: MasteryParameters = {
  version: 1,
  learned: 0.25,
  transit: 0.05,
  slip: 0.1,
  guess: { multiple: 0.15, text: 0.2 },
  slipText: 0.2,
  guessAided: 0.8,
  threshold: 0.95,
};

/** A graded answer, as far as mastery is concerned. */
export interface GradedAnswer {
  itemId: string;
  correct: boolean;
  aided: boolean;
  selection: Selection;
  /** How many choices there were. */
  choices: number;
}

/** Probabilities are kept to six places, so that every machine that replays a ledger gets the same numbers and comparisons. */
const places = 1_000_000;
const kept = (probability: number): number => Math.round(probability * places) / places;
/** Compares by those places: no rounding error decides. */
export const reaches = (probability: number, threshold: number): boolean =>
  Math.round(probability * places) >= Math.round(threshold * places);
export const rises = (before: number, after: number): boolean => Math.round(after * places) > Math.round(before * places);

export function guessOf(answer: Omit<GradedAnswer, "itemId" | "correct">, parameters: MasteryParameters): number {
  const { selection, choices, aided } = answer;
  const blind = selection === "single" ? 1 / Math.max(2, choices) : parameters.guess[selection];
  return aided ? Math.max(blind, parameters.guessAided) : blind;
}

/** P(L) after one more graded answer. */
export function afterAnswer(before: number, answer: GradedAnswer, parameters: MasteryParameters): number {
  const guess = guessOf(answer, parameters);
  const slip = answer.selection === "text" ? parameters.slipText : parameters.slip;
  const known = before * (answer.correct ? 1 - slip : slip);
  const unknown = (1 - before) * (answer.correct ? guess : 1 - guess);
  const posterior = known / (known + unknown);
  return kept(posterior + (1 - posterior) * parameters.transit);
}

/** P(L) after answers, in their order. */
export const probabilityOf = (answers: readonly GradedAnswer[], parameters: MasteryParameters): number =>
  answers.reduce((probability, answer) => afterAnswer(probability, answer, parameters), kept(parameters.learned));

/** Whether answers make mastery. */
export function isMastered(answers: readonly GradedAnswer[], parameters: MasteryParameters): boolean {
  const counts = (answer: GradedAnswer | undefined): boolean => answer?.correct === true && !answer.aided;
  if (!counts(answers.at(-1)) || !reaches(probabilityOf(answers, parameters), parameters.threshold)) return false;
  return new Set(answers.filter(counts).map(({ itemId }) => itemId)).size >= 2;
}

/** How much is not known of something with this probability, in bits: 1 at one half. */
export function uncertainty(probability: number): number {
  if (probability <= 0 || probability >= 1) return 0;
  return -probability * Math.log2(probability) - (1 - probability) * Math.log2(1 - probability);
}
