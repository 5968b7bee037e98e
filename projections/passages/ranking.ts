import type { Passage, Source } from "@colloquy/schemas/courses/revision.ts";
import type { QuestionVector } from "./vectors/question.ts";

export interface RankedPassage extends Passage {
  source: Source;
  courseId: string;
  revisionId: string;
  score: number;
  /** How close it is to the question in meaning, in standard deviations above unrelated texts; absent after a search by words. */
  closeness?: number;
}

/** A passage that may answer, with what speaks for it. */
export interface Candidate {
  passage: Passage;
  source: Source;
  courseId: string;
  revisionId: string;
  /** Index in reading order, for ties. */
  order: number;
  /** The weight of its role and form. */
  prior: number;
  /** The score of its words; 0 without a word of the question. */
  words: number;
  /** The cosine with the question; null if the search is by words only, or the passage has no vector yet. */
  cosine: number | null;
}

/** Found on the tuning questions in `evaluation/` (`npm run bench -- retrieval`), in the middle of a flat optimum. */
const fusion = {
  /** Share of the meaning beside the words. */
  meaning: 0.65,
  /** Exponent of the prior weight of a passage in its meaning; its words have the whole weight. */
  prior: 0.5,
  /**
   * Standard deviations above the mean cosine of unrelated texts: from which a passage is found by its meaning alone, and which the nearest
   * passage is at least compared with, so that noise is not scaled up.
   */
  alone: 1.5,
  near: 4,
};

/** Number of a course's best passages that measure its relevance to a question, and the exponent of that factor. */
const courseRelevance = { passages: 3, exponent: 0.2 };

/**
 * Candidates by words and meaning, best first; equal scores in reading order. The words' scores are divided by the highest; cosines are
 * scaled so that unrelated texts are at 0 and the nearest passage at 1. A passage without a vector counts as near as its words say.
 * @returns scores on the scale of the words' scores, and at least of 1 for the best
 */
export function rank(candidates: readonly Candidate[], limit: number, question: QuestionVector | null): RankedPassage[] {
  const mostWords = candidates.reduce((most, { words }) => Math.max(most, words), 0);
  const scored = question ? fused(candidates, question, mostWords) : candidates.map((candidate) => ({ candidate, score: candidate.words }));
  return weightedByCourse(scored)
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || compare(a.candidate.courseId, b.candidate.courseId) || a.candidate.order - b.candidate.order)
    .slice(0, limit)
    .map(({ candidate: { passage, source, courseId, revisionId, cosine }, score }) => {
      const closeness = question && cosine !== null ? (cosine - question.noise.mean) / question.noise.deviation : null;
      return { ...passage, source, courseId, revisionId, score, ...(closeness !== null && { closeness }) };
    });
}

interface Scored {
  candidate: Candidate;
  score: number;
}

function fused(candidates: readonly Candidate[], { noise }: QuestionVector, mostWords: number): Scored[] {
  const nearest = candidates.reduce((most, { cosine }) => Math.max(most, cosine ?? 0), noise.mean + fusion.near * noise.deviation);
  const alone = noise.mean + fusion.alone * noise.deviation;
  return candidates.flatMap((candidate) => {
    const { words, cosine, prior } = candidate;
    if (words === 0 && (cosine === null || cosine < alone)) return [];
    const byWords = mostWords > 0 ? words / mostWords : 0;
    const byMeaning = cosine === null ? byWords : (Math.max(0, cosine - noise.mean) / (nearest - noise.mean)) * prior ** fusion.prior;
    return [{ candidate, score: ((1 - fusion.meaning) * byWords + fusion.meaning * byMeaning) * Math.max(1, mostWords) }];
  });
}

/** Raises passages of courses that are relevant to the question over those of courses that only share some words. */
function weightedByCourse(scored: readonly Scored[]): Scored[] {
  const byCourse = Map.groupBy(scored, ({ candidate }) => candidate.courseId);
  if (byCourse.size < 2) return [...scored];
  const relevance = new Map<string, number>();
  for (const [courseId, own] of byCourse) {
    const best = own
      .map(({ score }) => score)
      .sort((a, b) => b - a)
      .slice(0, courseRelevance.passages);
    relevance.set(
      courseId,
      best.reduce((sum, score) => sum + score, 0),
    );
  }
  const most = Math.max(...relevance.values()) || 1;
  return scored.map(({ candidate, score }) => ({
    candidate,
    score: score * ((relevance.get(candidate.courseId) ?? 0) / most) ** courseRelevance.exponent,
  }));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
