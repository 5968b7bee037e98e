import type { Selection } from "./session.ts";

/** A graded answer, as every policy of mastery reads it. */
export interface PlainAnswer {
  itemId: string;
  correct: boolean;
  /** Given with help, or after its key was shown. */
  aided: boolean;
  selection: Selection;
  /** How many choices there were. */
  choices: number;
}

/** Probabilities are kept to six places, so that every machine that replays a ledger gets the same numbers and comparisons. */
const places = 1_000_000;
export const kept = (probability: number): number => Math.round(probability * places) / places;
/** Compares by those places: no rounding error decides. */
export const reaches = (probability: number, threshold: number): boolean =>
  Math.round(probability * places) >= Math.round(threshold * places);
export const rises = (before: number, after: number): boolean => Math.round(after * places) > Math.round(before * places);

/** How much is not known of something with this probability, in bits: 1 at one half. */
export function uncertainty(probability: number): number {
  if (probability <= 0 || probability >= 1) return 0;
  return -probability * Math.log2(probability) - (1 - probability) * Math.log2(1 - probability);
}
