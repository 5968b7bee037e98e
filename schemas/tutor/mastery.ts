import type { Question } from "../courses/blocks.ts";
import type { EvidenceKind, ItemEvidence } from "./evidence.ts";
import * as policy1 from "./mastery-1.ts";
import * as policy2 from "./mastery-2.ts";
import type { Standing } from "./mastery-standing.ts";
import { kept, type PlainAnswer, reaches } from "./probabilities.ts";

export interface GradedAnswer extends PlainAnswer {
  /** Of a question under policy 2 or later. */
  evidence?: ItemEvidence | undefined;
  /** Ids of the statements that the question shows; equal ids say the same. */
  statements?: readonly string[] | undefined;
  /** When it was given (RFC 3339). */
  at?: string | undefined;
}

/**
 * Policy 3: Bayesian Knowledge Tracing (Corbett & Anderson 1995) with guess and slip of each item, as in the item difficulty model of
 * Pardos & Heffernan 2011 ("KT-IDEM"). Per objective and counting answer:
 *
 *   correct:  P(L|a) = P(L)(1-S) / (P(L)(1-S) + (1-P(L))G)        wrong:  P(L|a) = P(L)S / (P(L)S + (1-P(L))(1-G))
 *   then      P(L) = max(floor, P(L|a) + (1 - P(L|a)) T)
 *
 * A right answer with help, or to a question that shows a statement of an earlier one, moves nothing; a wrong one counts against. There
 * are no answers of learners to fit. Guess and slip are chosen by measurement (docs/build/tutor.md): "not learned" has to include partial
 * knowledge, so that G is well above a blind guess, also of own words. The weight of a right answer, (1-S)/G, rises with the kind of
 * evidence, whatever the form of the question.
 */
export interface MasteryParameters3 {
  version: 3;
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
  /** The least G of each kind of evidence, falling; recognition and explanation by measurement with partial knowledge, the others between. */
  guess: Readonly<Record<EvidenceKind, number>>;
  /** S; Corbett and Anderson's tutor bounds it at 0.1 (Baker, Corbett & Aleven 2008). */
  slip: number;
  /** Kinds of evidence that mastery needs, one of them recall or above. */
  kinds: number;
  /** What confirms mastery: a right answer so many hours after it, to a question with at most this guess. */
  confirmation: { hours: number; guess: number };
}

/** The parameters of every policy that sessions were opened under. They are fixed: ledgers are verified by them. */
export const policies = {
  1: policy1.masteryParameters1,
  2: policy2.masteryParameters2,
  3: {
    version: 3,
    learned: 0.5,
    transit: 0.01,
    floor: 0.1,
    threshold: 0.95,
    ruledOut: 1.5,
    guess: { recognition: 0.44, recall: 0.42, application: 0.4, explanation: 0.38 },
    slip: 0.08,
    kinds: 2,
    confirmation: { hours: 24, guess: 0.5 },
  } satisfies MasteryParameters3 as MasteryParameters3,
} as const;

export type ItemParameters = policy2.MasteryParameters2 | MasteryParameters3;
export type MasteryParameters = policy1.MasteryParameters1 | ItemParameters;

/** The policy of new sessions; other values make a new version. The opening entry of a ledger has the one its session goes by to its end. */
export const masteryParameters = policies[3];

/** A question's kind of evidence and the chance to get it right by its form alone. What that gives away is recognised, whatever it asks. */
function weighed(kind: EvidenceKind, byForm: number, { guess, slip }: MasteryParameters3): ItemEvidence {
  const shown = byForm > guess[kind] ? "recognition" : kind;
  return { kind: shown, guess: kept(Math.max(byForm, guess[shown])), slip, counts: true };
}

/** The chance to choose right knowing only which choices nobody takes; of two that are left, two of three sets are wrong. */
const choosesByForm = (selection: "single" | "multiple", choices: number, { ruledOut }: MasteryParameters3): number =>
  selection === "multiple" ? 1 / 3 : 1 / Math.max(1.5, choices - ruledOut);

/** What an answer to a question says that states nothing of its own. */
export function defaultEvidence({ selection, choices }: Pick<PlainAnswer, "selection" | "choices">, p: ItemParameters): ItemEvidence {
  if (p.version === 2) return policy2.defaultEvidence({ selection, choices }, p);
  if (selection === "text") return weighed("explanation", 0, p);
  if (selection === "single" || selection === "multiple") return weighed("recognition", choosesByForm(selection, choices, p), p);
  return weighed("recall", 0, p);
}

/** What an answer to a question of the course's own says. Things to put in their places are got right by form in a random order. */
export function authoredEvidence(question: Question, p: ItemParameters): ItemEvidence {
  if (p.version === 2) return policy2.authoredEvidence(question, p);
  const { kind, level } = question;
  switch (kind) {
    case "free":
      return weighed("explanation", 0, p);
    case "single":
    case "multiple":
      return weighed(level === "recall" ? "recognition" : level, choosesByForm(kind, question.choices.length, p), p);
    case "order":
      return weighed(level, 1 / factorial(question.items.length), p);
    case "match":
      return weighed(level, 1 / factorial(question.pairs.length), p);
    default:
      return weighed(level, 0, p);
  }
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

function tally(before: Tally, answer: GradedAnswer, p: ItemParameters): Tally {
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

/** Whether right answers to all of these questions, each unaided, come to mastery. */
export function canBringMastery(questions: readonly Question[], parameters: ItemParameters): boolean {
  const answers = questions.map((question, index) => ({
    itemId: `${index}`,
    correct: true,
    aided: false,
    selection: "single" as const,
    choices: 0,
    evidence: authoredEvidence(question, parameters),
  }));
  return masteryOf(answers, parameters).standing !== "none";
}
