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
