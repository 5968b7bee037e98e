import type { ObjectiveMastery } from "@colloquy/schemas/tutor/session.ts";

/**
 * Days after which what was just learned is remembered with 90 %: the initial stabilities of FSRS-6 with its default parameters, for a
 * first review rated again, hard, good and easy (open-spaced-repetition, "The Algorithm", w0 to w3).
 */
const initialStability = { again: 0.212, hard: 1.2931, good: 2.3065, easy: 8.2956 } as const;

/** How well an objective went, as a first review would be rated. Pure. */
export function firstRating({ mastered, evidence }: ObjectiveMastery): keyof typeof initialStability {
  if (!mastered) return "again";
  const counting = evidence.filter(({ disputed }) => !disputed);
  const wrong = counting.filter(({ correct }) => !correct).length;
  if (wrong > 1) return "hard";
  return wrong || counting.some(({ aided }) => aided) ? "good" : "easy";
}

/** In how many whole days an objective should be looked at again, at least one. */
export const daysToReview = (mastery: ObjectiveMastery): number => Math.max(1, Math.round(initialStability[firstRating(mastery)]));
