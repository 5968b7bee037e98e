import { readExpression } from "./expression.ts";
import { expressionTex } from "./expression-tex.ts";
import { type Interval, inequalityTex, intervalTex, isShort, type Solved, solve } from "./inequality.ts";
import { rounded } from "./plane.ts";
import type { SceneContent } from "./storyboard.ts";

export type NumberLine = SceneContent<"number-line">;
type Sequence = NumberLine["sequences"][number];

/** A number as it stands after a name, in TeX: said to be near where its decimals are cut. */
export const valueTex = (value: number): string => `${isShort(value) ? "=" : "\\approx"} ${rounded(value)}`;

/** A step of a sum: how it is written, and where it leads. */
interface Jump {
  tex: string;
  from: number;
  to: number;
}

/** The numbers that a sum such as `2 + 3 - 5` leads through; null where it is no sum of numbers. Pure. */
export function jumpsOf(sum: string): Jump[] | null {
  const bare = sum.replaceAll("−", "-").replace(/\s+/g, "");
  const parts = bare.match(/^-?\d+(?:\.\d+)?|[+-](?:\d+(?:\.\d+)?|\(-\d+(?:\.\d+)?\))/g);
  if (!parts || parts.join("") !== bare || parts.length < 2) return null;
  let at = Number(parts[0]);
  return parts.slice(1).map((part): Jump => {
    const from = at;
    at += Number(part.slice(1).replace(/[()]/g, "")) * (part.startsWith("-") ? -1 : 1);
    // Sums of decimals are not exact in binary.
    at = Math.round(at * 1e9) / 1e9;
    return { tex: part, from, to: at };
  });
}

/** The first terms of a sequence, from n = 1 on; null where it has none. Pure. */
export function termsOf({ expression, terms }: Pick<Sequence, "expression" | "terms">): number[] | null {
  const read = readExpression(expression, "n");
  const values = read && Array.from({ length: terms }, (_, index) => read(index + 1));
  return values?.every(Number.isFinite) ? values : null;
}

/** The value of a limit that is written with numbers; null where there is none. Pure. */
export function limitOf({ limit }: Pick<Sequence, "limit">): number | null {
  const value = limit === "" ? undefined : readExpression(limit, "n")?.(Number.NaN);
  return value !== undefined && Number.isFinite(value) ? value : null;
}

/** Whether terms come nearer to a value the further one goes, and very near: tried far out, where they do not settle beside it. Pure. */
export function approaches(expression: string, limit: number): boolean {
  const read = readExpression(expression, "n");
  if (!read) return false;
  const farthest = [100, 1_000, 10_000, 100_000, 1_000_000].map((start) =>
    Math.max(...Array.from({ length: 12 }, (_, index) => Math.abs(read(start + index) - limit))),
  );
  const isNearing = farthest.every((away, index) => index === 0 || away < least || away < (farthest[index - 1] ?? 0));
  const [before = 1, last = 1] = farthest.slice(-2);
  return isNearing && last < 1e-3 && (last < least || last < before / 2);
}
const least = 1e-9;

/** Names of sequences in their order. */
export const sequenceName = (index: number): string => ["a", "b"][index] ?? "c";
const sumTex = (sum: string): string => sum.replaceAll("−", "-").trim();
export const sequenceTex = ({ expression }: Sequence, index: number): string => `${sequenceName(index)}_n = ${expressionTex(expression)}`;
export const limitTex = ({ limit }: Sequence, index: number): string =>
  `\\lim_{n \\to \\infty} ${sequenceName(index)}_n = ${expressionTex(limit)}`;

export const solvedOf = ({ from, to }: Pick<NumberLine, "from" | "to">, inequality: string): Solved => solve(inequality, { from, to });
/** The intervals of an inequality where they say more than it does, in TeX. */
export function solutionTex(inequality: string, { letter, intervals }: { letter: string; intervals: readonly Interval[] }): string[] {
  const texts = intervals.map((one) => intervalTex(one, letter)).filter(Boolean);
  return texts.length < intervals.length || texts.join() === inequalityTex(inequality) ? [] : texts;
}

/** What a number line says in formulas, all computed from what it shows. Pure. */
export function numberLineFacts(line: NumberLine): string[] {
  return [
    ...line.intervals.flatMap(({ inequality }) => {
      const solved = solvedOf(line, inequality);
      const solution = solved.kind === "solved" ? solutionTex(inequality, solved) : [];
      return [inequalityTex(inequality), solution.join(" \\;\\lor\\; ")].filter(Boolean);
    }),
    ...line.jumps.map(({ sum }) => `${sumTex(sum)} = ${rounded(jumpsOf(sum)?.at(-1)?.to ?? 0)}`),
    ...line.sequences.flatMap((one, index) => [sequenceTex(one, index), ...(one.limit === "" ? [] : [limitTex(one, index)])]),
  ];
}
