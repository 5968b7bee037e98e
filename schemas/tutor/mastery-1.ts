import { kept, type PlainAnswer, reaches } from "./probabilities.ts";

/**
 * Policy 1, by which sessions go on that were opened under it: Bayesian Knowledge Tracing (Corbett & Anderson 1995, "Knowledge tracing:
 * modeling the acquisition of procedural knowledge"). Whether an objective is learned is hidden; each graded answer changes how
 * probable it is.
 *
 *   correct:  P(L|a) = P(L)(1-S) / (P(L)(1-S) + (1-P(L))G)        wrong:  P(L|a) = P(L)S / (P(L)S + (1-P(L))(1-G))
 *   then      P(L) = P(L|a) + (1 - P(L|a)) T
 *
 * The threshold of 0.95 is theirs, and for choices the upper bounds of their tutor (as Baker, Corbett & Aleven 2008 report them) are
 * kept: slip at most 0.1, guess at most 0.3. There are no answers of learners to fit the others to, so they are set by the kind of
 * question: what a blind guess has is known from its choices.
 */
export interface MasteryParameters1 {
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

/** As they stand in every ledger that was opened under this policy. */
export const masteryParameters1: MasteryParameters1 = {
  version: 1,
  learned: 0.25,
  transit: 0.05,
  slip: 0.1,
  guess: { multiple: 0.15, text: 0.2 },
  slipText: 0.2,
  guessAided: 0.8,
  threshold: 0.95,
};

export function guessOf(answer: Pick<PlainAnswer, "selection" | "choices" | "aided">, parameters: MasteryParameters1): number {
  const { selection, choices, aided } = answer;
  // Later kinds of questions are in no ledger of this policy.
  const blind = selection === "multiple" || selection === "text" ? parameters.guess[selection] : 1 / Math.max(2, choices);
  return aided ? Math.max(blind, parameters.guessAided) : blind;
}

/** P(L) after one more graded answer. */
export function afterAnswer(before: number, answer: PlainAnswer, parameters: MasteryParameters1): number {
  const guess = guessOf(answer, parameters);
  const slip = answer.selection === "text" ? parameters.slipText : parameters.slip;
  const known = before * (answer.correct ? 1 - slip : slip);
  const unknown = (1 - before) * (answer.correct ? guess : 1 - guess);
  const posterior = known / (known + unknown);
  return kept(posterior + (1 - posterior) * parameters.transit);
}

/** P(L) after answers, in their order. */
export const probabilityOf = (answers: readonly PlainAnswer[], parameters: MasteryParameters1): number =>
  answers.reduce((probability, answer) => afterAnswer(probability, answer, parameters), kept(parameters.learned));

/** Whether answers make mastery. */
export function isMastered(answers: readonly PlainAnswer[], parameters: MasteryParameters1): boolean {
  const counts = (answer: PlainAnswer | undefined): boolean => answer?.correct === true && !answer.aided;
  if (!counts(answers.at(-1)) || !reaches(probabilityOf(answers, parameters), parameters.threshold)) return false;
  return new Set(answers.filter(counts).map(({ itemId }) => itemId)).size >= 2;
}
