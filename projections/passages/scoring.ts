import type { Concept } from "./concepts.ts";

/** The terms of a passage, counted by field. */
export interface TermCounts {
  fields: Record<Field, ReadonlyMap<string, number>>;
  lengths: Record<Field, number>;
  /** The terms of the heading without stop words. */
  headingTerms: ReadonlySet<string>;
  /** The terms of the text in reading order. */
  sequence: readonly string[];
}

export const fields = ["title", "heading", "text", "nearby"] as const;
export type Field = (typeof fields)[number];

/** Statistics over all passages. */
export interface Statistics {
  passages: number;
  /** How many passages contain a term in their heading or text. */
  documentFrequency(term: string): number;
  meanLength(field: Field): number;
}

/** Found by random search over the tuning questions in `evaluation/` (`npm run bench -- retrieval`), then rounded. */
export const weights = {
  /**
   * Weight of a term by field; `nearby` is the text of the adjacent passages, which describes a short passage such as a command or a
   * formula.
   */
  fields: { title: 1.4, heading: 0.8, text: 1, nearby: 0.2 } satisfies Record<Field, number>,
  /** BM25F: the length normalisation b of each field, and the saturation k1. */
  lengths: { title: 0, heading: 0.8, text: 0.4, nearby: 0.9 } satisfies Record<Field, number>,
  k1: 1.4,
  /** Exponent of the covered part of the question; terms that occur only in the title count less. */
  coverage: 1,
  coveredByTitle: 0.75,
  /** Bonus for words that are adjacent in the question and close in the text. */
  closeness: 1,
  /** Bonus for words within one window, about a sentence. */
  window: 0.3,
  /** Bonus for a text that defines the thing asked for. */
  defined: 0.6,
  /** Bonus for a heading with the words of the question. */
  likeness: 0.5,
  /** Share of its full worth that a weak word regains in a heading: "Finding eigenvalues" is about finding. */
  weakInHeading: 0.5,
};

/** BM25's inverse document frequency of a term that `documents` of all `passages` contain, never below zero. */
export const inverseDocumentFrequency = (documents: number, passages: number): number =>
  Math.log(1 + (passages - documents + 0.5) / (documents + 0.5));

/** That of a concept is that of its most frequent term. */
function conceptFrequency(concept: Concept, { passages, documentFrequency }: Statistics): number {
  let most = 0;
  for (const term of concept.terms.keys()) most = Math.max(most, documentFrequency(term));
  return inverseDocumentFrequency(most, passages);
}

/** Scores passages for one question; see `weights`. */
export function scorer(
  concepts: readonly Concept[],
  statistics: Statistics,
  definingVerbs: ReadonlySet<string>,
): (counted: TermCounts) => number {
  const asked = concepts.map((concept) => {
    const full = conceptFrequency(concept, statistics);
    return { ...concept, full, worth: concept.weight * full };
  });
  const present = asked.filter(({ terms }) => [...terms.keys()].some((term) => statistics.documentFrequency(term) > 0));
  const byTerm = new Map<string, number[]>();
  for (const [index, { terms }] of present.entries())
    for (const term of terms.keys()) byTerm.set(term, [...(byTerm.get(term) ?? []), index]);
  const total = present.reduce((sum, { worth }) => sum + worth, 0) || 1;
  const means = Object.fromEntries(fields.map((field) => [field, statistics.meanLength(field) || 1])) as Record<Field, number>;

  return (counted) => {
    let score = 0;
    let covered = 0;
    let likeness = 0;
    let named = 0;
    for (const { terms, worth, full } of present) {
      let frequency = 0;
      let best = 0;
      let headed = 0;
      for (const field of fields) {
        const counts = counted.fields[field];
        let count = 0;
        for (const [term, share] of terms) {
          const found = counts.get(term);
          if (!found) continue;
          count += share * found;
          if (field === "text" || field === "heading") best = Math.max(best, share);
          else best = Math.max(best, share * weights.coveredByTitle);
          if (field === "heading") headed = Math.max(headed, share);
        }
        const b = weights.lengths[field];
        if (count > 0) frequency += (weights.fields[field] * count) / (1 - b + (b * counted.lengths[field]) / means[field]);
      }
      if (headed > 0) named += [...terms.keys()].some((term) => counted.headingTerms.has(term)) ? 1 : 0;
      likeness += headed * (worth + (full - worth) * weights.weakInHeading);
      score += (worth * frequency * (weights.k1 + 1)) / (frequency + weights.k1);
      covered += worth * best;
    }
    if (score === 0) return 0;
    const precision = counted.headingTerms.size === 0 ? 0 : Math.min(1, named / counted.headingTerms.size);
    const { closeness, window, defined } = proximity(present, byTerm, counted.sequence, definingVerbs);
    score +=
      weights.closeness * closeness +
      (weights.window * window ** 2) / total +
      weights.defined * defined * total +
      weights.likeness * total * precision * (likeness / total) ** 0.5;
    return score * Math.min(1, covered / total) ** weights.coverage;
  };
}

/** Greatest distance of two adjacent question terms that still counts as close, and the length of a window, about a sentence. */
const maxGap = 4;
const windowTerms = 24;

/** How close adjacent question terms are in a text, the most of the question within one window, and whether the text defines it. */
function proximity(
  asked: readonly { worth: number }[],
  byTerm: ReadonlyMap<string, readonly number[]>,
  sequence: readonly string[],
  definingVerbs: ReadonlySet<string>,
) {
  const last = asked.map(() => Number.NEGATIVE_INFINITY);
  const nearest = asked.map(() => Number.POSITIVE_INFINITY);
  const found: { at: number; index: number }[] = [];
  let defined = 0;
  for (const [at, term] of sequence.entries())
    for (const index of byTerm.get(term) ?? []) {
      found.push({ at, index });
      last[index] = at;
      for (const other of [index - 1, index + 1]) {
        const pair = Math.min(index, other);
        if (other >= 0 && other < asked.length) nearest[pair] = Math.min(nearest[pair] ?? 0, at - (last[other] ?? 0));
      }
      if (index === asked.length - 1 && definingVerbs.has(sequence[at + 1] ?? "") && last.every((place) => at - place <= maxGap))
        defined = 1;
    }
  let closeness = 0;
  for (let pair = 0; pair + 1 < asked.length; pair += 1) {
    const gap = nearest[pair] ?? Number.POSITIVE_INFINITY;
    if (gap > 0 && gap <= maxGap) closeness += Math.min(asked[pair]?.worth ?? 0, asked[pair + 1]?.worth ?? 0) / gap ** 0.5;
  }
  let most = 0;
  const inside = asked.map(() => 0);
  let sum = 0;
  let from = 0;
  for (const { at, index } of found) {
    if (inside[index] === 0) sum += asked[index]?.worth ?? 0;
    inside[index] = (inside[index] ?? 0) + 1;
    for (let first = found[from]; first && at - first.at > windowTerms; first = found[from]) {
      inside[first.index] = (inside[first.index] ?? 0) - 1;
      if (inside[first.index] === 0) sum -= asked[first.index]?.worth ?? 0;
      from += 1;
    }
    most = Math.max(most, sum);
  }
  return { closeness, window: most, defined };
}
