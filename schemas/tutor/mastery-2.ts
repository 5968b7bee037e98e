import type { Question } from "../courses/blocks.ts";
import type { ItemEvidence } from "./evidence.ts";
import { kept, type PlainAnswer } from "./probabilities.ts";

/**
 * Policy 2, by which sessions go on that were opened under it: policy 3 (mastery.ts) with other guesses, whose weights are not in the order
 * of the kinds of evidence.
 */
export interface MasteryParameters2 {
  version: 2;
  /** P(L0), before any answer: one half, where the first answer says most. */
  learned: number;
  /** T, per counting answer: small, since learning happens in lessons, after which new questions measure it. */
  transit: number;
  /** The least P(L): without it a few early wrong answers would outweigh everything learned since. */
  floor: number;
  /** Corbett and Anderson's. */
  threshold: number;
  /** Choices that nobody takes: of three wrong ones 1.5 attract anybody (Tarrant, Ware & Mohammed 2009, 514 questions). */
  ruledOut: number;
  /** G of several right choices: of two that are left after ruling out, two of three sets are wrong; partial knowledge added. */
  guessMultiple: number;
  /** G and S of questions that state none of their own; by measurement with partial knowledge. */
  recall: { guess: number; slip: number };
  application: { guess: number; slip: number };
  explanation: { guess: number; slip: number };
  /** S of choices; Corbett and Anderson's tutor bounds it at 0.1 (Baker, Corbett & Aleven 2008). */
  slip: number;
  /** Kinds of evidence that mastery needs, one of them recall or above. */
  kinds: number;
  /** What confirms mastery: a right answer so many hours after it, to a question with at most this guess. */
  confirmation: { hours: number; guess: number };
}

/** As they stand in every ledger that was opened under this policy. */
export const masteryParameters2: MasteryParameters2 = {
  version: 2,
  learned: 0.5,
  transit: 0.01,
  floor: 0.1,
  threshold: 0.95,
  ruledOut: 1.5,
  guessMultiple: 0.45,
  recall: { guess: 0.4, slip: 0.08 },
  application: { guess: 0.4, slip: 0.08 },
  explanation: { guess: 0.45, slip: 0.08 },
  slip: 0.08,
  kinds: 2,
  confirmation: { hours: 24, guess: 0.5 },
};

/** What an answer to a question says that states nothing of its own. */
export function defaultEvidence({ selection, choices }: Pick<PlainAnswer, "selection" | "choices">, p: MasteryParameters2): ItemEvidence {
  switch (selection) {
    case "single":
      return { kind: "recognition", guess: kept(1 / Math.max(1.5, choices - p.ruledOut)), slip: p.slip, counts: true };
    case "multiple":
      return { kind: "recognition", guess: p.guessMultiple, slip: p.slip, counts: true };
    case "text":
      return { kind: "explanation", ...p.explanation, counts: true };
    default:
      return { kind: "recall", ...p.recall, counts: true };
  }
}

/**
 * What an answer to a question of the course's own says. Its guess is at least that of its kind of evidence and, of things to put in their
 * places, that of a random order.
 */
export function authoredEvidence(question: Question, p: MasteryParameters2): ItemEvidence {
  const { kind, level } = question;
  if (kind === "free") return { kind: "explanation", ...p.explanation, counts: true };
  const isChoice = kind === "single" || kind === "multiple";
  const own = isChoice
    ? defaultEvidence({ selection: kind, choices: question.choices.length }, p)
    : { kind: "recall" as const, ...p.recall };
  const places = kind === "order" ? question.items.length : kind === "match" ? question.pairs.length : 0;
  const guess = places === 0 ? own.guess : kept(Math.max(own.guess, 1 / factorial(places)));
  if (level === "recall") return { kind: own.kind, guess, slip: own.slip, counts: true };
  return { kind: "application", guess: Math.max(guess, p.application.guess), slip: p.application.slip, counts: true };
}

const factorial = (of: number): number => (of <= 1 ? 1 : of * factorial(of - 1));
