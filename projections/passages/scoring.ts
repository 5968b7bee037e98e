import type { Concept } from "./concepts.ts";

/** What is counted of a passage: its terms in each place they can stand in. */
export interface Counted {
  fields: Record<Field, ReadonlyMap<string, number>>;
  lengths: Record<Field, number>;
  /** The terms of the heading that are no stop words. */
  named: ReadonlySet<string>;
  /** The terms of the text in reading order. */
  sequence: readonly string[];
}

export const fields = ["title", "heading", "text", "nearby"] as const;
export type Field = (typeof fields)[number];

/** What is known of all passages together. */
export interface Statistics {
  passages: number;
  /** How many passages hold a term, in their heading or text. */
  holding(term: string): number;
  meanLength(field: Field): number;
}

/** Found by a random search over the tuning part of the questions in `evaluation/` (`npm run bench -- retrieval`), then rounded. */
const weights = {
  /**
   * How much a term counts by where it stands; `nearby` is the text right before and after, which says what a short passage (a command,
   * a formula) is about.
   */
  fields: { title: 1.4, heading: 0.8, text: 1, nearby: 0.2 } satisfies Record<Field, number>,
  /** BM25F's: how much longer texts are discounted (b), and how soon more of a term counts no more. */
  lengths: { title: 0, heading: 0.8, text: 0.4, nearby: 0.9 } satisfies Record<Field, number>,
  k1: 1.4,
  /** How much more than proportionally a passage gains that has more of the question, by worth; what only its title has counts less. */
  coverage: 1,
  coveredByTitle: 0.75,
  /** Gain of words that are neighbours in the question and close in the text, against what they count by themselves. */
  closeness: 1,
  /** Gain of what is said in one breath, as in one sentence. */
  together: 0.3,
  /** Gain of a text that says what the thing asked for is. */
  explained: 0.6,
  /** Gain of a heading that says what the question says. */
  likeness: 0.5,
  /** How much of its full worth a weak word has in a heading: "Finding eigenvalues" is about finding. */
  weakInHeading: 0.5,
};

/** How rare a term is (BM25's, never below zero). */
function rarity(concept: Concept, { passages, holding }: Statistics): number {
  let most = 0;
  for (const term of concept.terms.keys()) most = Math.max(most, holding(term));
  return Math.log(1 + (passages - most + 0.5) / (most + 0.5));
}

/** Scores passages for one question; see `weights`. */
export function scorer(concepts: readonly Concept[], statistics: Statistics, says: ReadonlySet<string>): (counted: Counted) => number {
  const asked = concepts.map((concept) => {
    const full = rarity(concept, statistics);
    return { ...concept, full, worth: concept.weight * full };
  });
  const present = asked.filter(({ terms }) => [...terms.keys()].some((term) => statistics.holding(term) > 0));
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
      if (headed > 0) named += [...terms.keys()].some((term) => counted.named.has(term)) ? 1 : 0;
      likeness += headed * (worth + (full - worth) * weights.weakInHeading);
      score += (worth * frequency * (weights.k1 + 1)) / (frequency + weights.k1);
      covered += worth * best;
    }
    if (score === 0) return 0;
    const precision = counted.named.size === 0 ? 0 : Math.min(1, named / counted.named.size);
    const { closeness, together, explained } = standing(present, byTerm, counted.sequence, says);
    score +=
      weights.closeness * closeness +
      (weights.together * together ** 2) / total +
      weights.explained * explained * total +
      weights.likeness * total * precision * (likeness / total) ** 0.5;
    return score * Math.min(1, covered / total) ** weights.coverage;
  };
}

/** Terms between two neighbours of a question that still count as close, and terms of a text that are read together, as in a sentence. */
const reach = 4;
const breath = 24;

/** Where the question's words stand in a text: how close its neighbours are, the most of it that is said in one breath, and whether it is explained. */
function standing(
  asked: readonly { worth: number }[],
  byTerm: ReadonlyMap<string, readonly number[]>,
  sequence: readonly string[],
  says: ReadonlySet<string>,
) {
  const last = asked.map(() => Number.NEGATIVE_INFINITY);
  const nearest = asked.map(() => Number.POSITIVE_INFINITY);
  const found: { at: number; index: number }[] = [];
  let explained = 0;
  for (const [at, term] of sequence.entries())
    for (const index of byTerm.get(term) ?? []) {
      found.push({ at, index });
      last[index] = at;
      for (const other of [index - 1, index + 1]) {
        const pair = Math.min(index, other);
        if (other >= 0 && other < asked.length) nearest[pair] = Math.min(nearest[pair] ?? 0, at - (last[other] ?? 0));
      }
      if (index === asked.length - 1 && says.has(sequence[at + 1] ?? "") && last.every((place) => at - place <= reach)) explained = 1;
    }
  let closeness = 0;
  for (let pair = 0; pair + 1 < asked.length; pair += 1) {
    const gap = nearest[pair] ?? Number.POSITIVE_INFINITY;
    if (gap > 0 && gap <= reach) closeness += Math.min(asked[pair]?.worth ?? 0, asked[pair + 1]?.worth ?? 0) / gap ** 0.5;
  }
  let most = 0;
  const inside = asked.map(() => 0);
  let sum = 0;
  let from = 0;
  for (const { at, index } of found) {
    if (inside[index] === 0) sum += asked[index]?.worth ?? 0;
    inside[index] = (inside[index] ?? 0) + 1;
    for (let first = found[from]; first && at - first.at > breath; first = found[from]) {
      inside[first.index] = (inside[first.index] ?? 0) - 1;
      if (inside[first.index] === 0) sum -= asked[first.index]?.worth ?? 0;
      from += 1;
    }
    most = Math.max(most, sum);
  }
  return { closeness, together: most, explained };
}
