import { approaches, limitOf, solvedOf } from "@colloquy/schemas/explainers/number-line.ts";
import type { SceneOf } from "@colloquy/schemas/explainers/storyboard.ts";
import type { Found } from "./found.ts";
import { isWritten } from "./written.ts";

/**
 * Inequalities, sums and sequences stand in the passages, or an inequality has the intervals of another of the scene that does. Limits are
 * tried with numbers.
 */
export function numberLineFindings({ content }: SceneOf<"number-line">, texts: readonly string[]): Found[] {
  const { intervals, jumps, sequences } = content;
  const unsupported = (what: string): Found => ({
    problem: "unsupported",
    detail: `This does not stand in the passages of the scene: ${what}`,
  });
  const solved = (inequality: string): string => {
    const found = solvedOf(content, inequality);
    return found.kind === "solved" ? JSON.stringify([found.letter, found.intervals]) : found.problem;
  };
  const given = intervals.map(({ inequality }) => inequality);
  const known = new Set(given.filter((one) => isWritten(one, texts)).map(solved));
  return [
    ...given.filter((one) => !known.has(solved(one))).map(unsupported),
    ...[...jumps.map(({ sum }) => sum), ...sequences.map(({ expression }) => expression)]
      .filter((one) => !isWritten(one, texts))
      .map(unsupported),
    ...sequences.flatMap((one): Found[] => {
      const limit = limitOf(one);
      if (one.limit === "" || (limit !== null && approaches(one.expression, limit))) return [];
      return [{ problem: "unsupported", detail: `Computed far out, ${one.expression} does not come near to ${one.limit}.` }];
    }),
  ];
}
