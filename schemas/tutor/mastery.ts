import type { Question } from "../courses/blocks.ts";
import * as policy1 from "./mastery-1.ts";
import type { Standing } from "./mastery-standing.ts";
import { kept, type PlainAnswer, reaches } from "./probabilities.ts";

/** What an answer can show, the weakest first. `explanation`: own words that a model judged against a rubric. */
export const evidenceKinds = ["recognition", "recall", "application", "explanation"] as const;
export type EvidenceKind = (typeof evidenceKinds)[number];

/** What a right or wrong answer to one question says. */
export interface ItemEvidence {
  kind: EvidenceKind;
  /** G: the chance of a right answer without knowing. */
  guess: number;
  /** S: the chance of a wrong answer in spite of knowing. */
  slip: number;
  /** False for a question that nobody looked over a second time: it is practice, and its answer moves nothing. */
  counts: boolean;
}

export interface GradedAnswer extends PlainAnswer {
  /** Of a question under policy 2. */
  evidence?: ItemEvidence | undefined;
  /** Ids of the statements that the question shows; equal ids say the same. */
  statements?: readonly string[] | undefined;
  /** When it was given (RFC 3339). */
  at?: string | undefined;
}

/**
 * Policy 2: Bayesian Knowledge Tracing (Corbett & Anderson 1995) with guess and slip of each item, as in the item difficulty model of
 * Pardos & Heffernan 2011 ("KT-IDEM"). Per objective and counting answer:
 *
 *   correct:  P(L|a) = P(L)(1-S) / (P(L)(1-S) + (1-P(L))G)        wrong:  P(L|a) = P(L)S / (P(L)S + (1-P(L))(1-G))
 *   then      P(L) = max(floor, P(L|a) + (1 - P(L|a)) T)
 *
 * A right answer with help, or to a question that shows a statement of an earlier one, moves nothing; a wrong one counts against. There
 * are no answers of learners to fit. Guess and slip are chosen by measurement (docs/build/tutor.md): "not learned" has to include partial
 * knowledge, so that G is well above a blind guess, also of own words.
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

export type MasteryParameters = policy1.MasteryParameters1 | MasteryParameters2;

/** The policy of new sessions; other values make a new version. The opening entry of a ledger has the one its session goes by to its end. */
export const masteryParameters: MasteryParameters2 = {
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

/** The parameters of every policy that sessions were opened under. They are fixed: ledgers are verified by them. */
export const policies = { 1: policy1.masteryParameters1, 2: masteryParameters } as const;

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

/** What the answers to questions on one objective come to. */
export interface Mastery {
  probability: number;
  standing: Standing;
  /** When the answer was given that brought provisional mastery. */
  since: string | null;
}

interface Tally extends Mastery {
  kinds: ReadonlySet<EvidenceKind>;
  /** Statements and items that answers were given to. */
  met: ReadonlySet<string>;
}

function tally(before: Tally, answer: GradedAnswer, p: MasteryParameters2): Tally {
  const { kind, guess, slip, counts } = answer.evidence ?? defaultEvidence(answer, p);
  const own = [answer.itemId, ...(answer.statements ?? [])];
  const met = new Set([...before.met, ...own]);
  const unaided = !answer.aided && !own.some((one) => before.met.has(one));
  if (!counts || (answer.correct && !unaided)) return { ...before, met };
  const known = before.probability * (answer.correct ? 1 - slip : slip);
  const unknown = (1 - before.probability) * (answer.correct ? guess : 1 - guess);
  const posterior = known / (known + unknown);
  const probability = kept(Math.max(p.floor, posterior + (1 - posterior) * p.transit));
  if (!answer.correct) return { ...before, met, probability, standing: "none", since: null };
  const kinds = new Set([...before.kinds, kind]);
  const mastered = reaches(probability, p.threshold) && kinds.size >= p.kinds && [...kinds].some((one) => one !== "recognition");
  if (!mastered) return { met, kinds, probability, standing: "none", since: null };
  const { hours } = p.confirmation;
  const isLater = before.since !== null && answer.at !== undefined && Date.parse(answer.at) - Date.parse(before.since) >= hours * 3_600_000;
  const confirms = isLater && guess <= p.confirmation.guess;
  const standing = before.standing === "confirmed" || confirms ? "confirmed" : "provisional";
  return { met, kinds, probability, standing, since: before.since ?? answer.at ?? null };
}

/** The mastery that answers on one objective come to, in their order. */
export function masteryOf(answers: readonly GradedAnswer[], parameters: MasteryParameters): Mastery {
  if (parameters.version === 1) {
    const mastered = policy1.isMastered(answers, parameters);
    const since = mastered ? (answers.at(-1)?.at ?? null) : null;
    return { probability: policy1.probabilityOf(answers, parameters), standing: mastered ? "provisional" : "none", since };
  }
  const none: Tally = { probability: kept(parameters.learned), standing: "none", since: null, kinds: new Set(), met: new Set() };
  const { probability, standing, since } = answers.reduce((before, answer) => tally(before, answer, parameters), none);
  return { probability, standing, since };
}

/** From when on an answer can confirm provisional mastery (RFC 3339); null where none can. */
export function dueAt({ standing, since }: Mastery, parameters: MasteryParameters): string | null {
  if (parameters.version === 1 || standing !== "provisional" || since === null) return null;
  return new Date(Date.parse(since) + parameters.confirmation.hours * 3_600_000).toISOString();
}
