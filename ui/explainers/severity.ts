import type { Finding } from "@colloquy/schemas/explainers/review.ts";

export const severities = ["error", "warning", "remark"] as const;
/** Stands against the video; may be untrue; could be better. */
export type Severity = (typeof severities)[number];

export interface RatedFinding extends Finding {
  severity: Severity;
}

const claims: ReadonlySet<Finding["problem"]> = new Set(["unsupported", "misquoted", "order", "prerequisite"]);

/** The findings of a review by severity, the most severe first. Pure. @param refused the storyboard did not pass because of them */
export function rated(findings: readonly Finding[], refused: boolean): RatedFinding[] {
  // The application refuses by itself; beside a review, it only compared words.
  const isReviewed = findings.some(({ by }) => by === "model");
  const severityOf = ({ problem, by }: Finding): Severity => {
    if (problem === "picture" || (refused && (by === "model" || !isReviewed))) return "error";
    return by === "application" || claims.has(problem) ? "warning" : "remark";
  };
  const place = ({ severity }: RatedFinding): number => severities.indexOf(severity);
  return findings.map((one) => ({ ...one, severity: severityOf(one) })).toSorted((a, b) => place(a) - place(b));
}
