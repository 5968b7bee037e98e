import { type Expression, readExpression } from "./expression.ts";
import { expressionTex } from "./expression-tex.ts";
import { rounded } from "./plane.ts";
import { rootsIn } from "./roots.ts";

/** An end of an interval; `closed`: it belongs to it. */
export interface End {
  at: number;
  closed: boolean;
}
/** A part of a line without gaps; null where it goes on for ever. */
export interface Interval {
  from: End | null;
  to: End | null;
}
export type Solved = { kind: "solved"; letter: string; intervals: Interval[] } | { kind: "unsolved"; problem: string };

/** Right minus left side of `<`, and of `>` the other way round: it is to be above 0. */
interface Relation {
  difference: Expression;
  orEqual: boolean;
}
interface Inequality {
  letter: string;
  relations: Relation[];
}

const sign = /<=|>=|[<>≤≥]/g;
const unsolved = (problem: string): Solved => ({ kind: "unsolved", problem });

/** Reads an inequality of one letter, such as `2x + 1 <= 7`, `-1 < x <= 5` or `|x - 2| < 3`; null where it is none. */
function readInequality(text: string): Inequality | null {
  const signs = text.match(sign) ?? [];
  const sides = text.split(sign).map((side) => side.replace(/\|([^|]+)\|/g, "abs($1)"));
  const letters = new Set((text.match(/[a-z]+/gi) ?? []).filter((word) => word.length === 1 && word !== "e"));
  const [letter = ""] = letters;
  if (letters.size !== 1 || signs.length < 1 || signs.length > 2) return null;
  const isUp = (one: string): boolean => /[<≤]/.test(one);
  if (new Set(signs.map(isUp)).size > 1) return null;
  const read = sides.map((side) => readExpression(side, letter));
  const relations = signs.flatMap((one, index): Relation[] => {
    const [left, right] = [read[index], read[index + 1]];
    if (!left || !right) return [];
    const difference: Expression = isUp(one) ? (x) => right(x) - left(x) : (x) => left(x) - right(x);
    return [{ difference, orEqual: /[=≤≥]/.test(one) }];
  });
  return relations.length === signs.length ? { letter, relations } : null;
}

const least = 1e-9;
/** A root with few decimals where that is one. */
function neat(root: number, difference: Expression): number {
  for (const scale of [1, 10, 100, 1_000]) {
    const short = Math.round(root * scale) / scale;
    if (Math.abs(short - root) < 1e-6 && Math.abs(difference(short)) < least) return short;
  }
  return root;
}

const trials = 60;

/**
 * Where an inequality holds, computed: its ends are where its sides are equal, and between them it is tried. All of its ends have to lie
 * on the line that is shown. Pure.
 */
export function solve(text: string, { from, to }: { from: number; to: number }): Solved {
  const inequality = readInequality(text);
  if (!inequality) return unsolved(`“${text}” is no inequality of one letter that can be read.`);
  const { letter, relations } = inequality;
  const all = relations.flatMap(({ difference }) =>
    rootsIn(difference, { from: from - (to - from) / 997, to: to + (to - from) / 997 }, (to - from) / 1_500).map((root) =>
      neat(root, difference),
    ),
  );
  const cuts = [...new Set(all)].filter((cut) => cut >= from && cut <= to).toSorted((one, other) => one - other);
  const holds = (x: number): boolean =>
    relations.every(({ difference, orEqual }) => {
      const value = difference(x);
      return Math.abs(value) < least ? orEqual : value > 0;
    });
  /** Whether it holds between two cuts; undefined where it changes there. */
  const between = (start: number | undefined, end: number | undefined): boolean | undefined => {
    const [low, high] = [start ?? from, end ?? to];
    const inside = Array.from({ length: trials }, (_, index) => low + ((high - low) * (index + 0.5)) / trials);
    const far = Array.from({ length: trials }, (_, index) => (to - from) * 0.01 * 1.3 ** index);
    const tried = [
      ...(low < high ? inside : []),
      ...(start === undefined ? far.map((away) => from - away) : []),
      ...(end === undefined ? far.map((away) => to + away) : []),
    ].map(holds);
    return tried.every((one) => one === tried[0]) ? tried[0] : undefined;
  };
  const regions = [undefined, ...cuts].map((cut, index) => between(cut, cuts[index]));
  if (regions.includes(undefined)) return unsolved(`Where “${text}” holds cannot be computed, or ends beside the line that is shown.`);
  const intervals: Interval[] = [];
  let open: End | null | undefined = regions[0] ? null : undefined;
  for (const [index, cut] of cuts.entries()) {
    const [before, here, after] = [regions[index], holds(cut), regions[index + 1]];
    if (before && !(here && after)) {
      intervals.push({ from: open ?? null, to: { at: cut, closed: here } });
      open = undefined;
    }
    if (!before && here && !after) intervals.push({ from: { at: cut, closed: true }, to: { at: cut, closed: true } });
    if (after && !(before && here)) open = { at: cut, closed: here };
  }
  if (open !== undefined) intervals.push({ from: open, to: null });
  return intervals.length > 0 ? { kind: "solved", letter, intervals } : unsolved(`“${text}” never holds.`);
}

/** Whether two decimals are all that a number has. */
export const isShort = (value: number): boolean => Math.abs(Number(rounded(value)) - value) < least;

const signTex: Readonly<Record<string, string>> = { "<": "<", ">": ">", "<=": "\\le", "≤": "\\le", ">=": "\\ge", "≥": "\\ge" };
export const inequalityTex = (text: string): string => {
  const signs = text.match(sign) ?? [];
  return text
    .split(sign)
    .flatMap((side, index) => [expressionTex(side).trim(), signTex[signs[index] ?? ""] ?? ""])
    .join(" ")
    .trim();
};

/** An interval as an inequality in TeX; empty where an end cannot be written exactly, or it is the whole line. */
export function intervalTex({ from, to }: Interval, letter: string): string {
  if (![from, to].every((end) => end === null || isShort(end.at))) return "";
  if (from && to && from.at === to.at) return `${letter} = ${rounded(from.at)}`;
  if (from && to) return `${rounded(from.at)} ${from.closed ? "\\le" : "<"} ${letter} ${to.closed ? "\\le" : "<"} ${rounded(to.at)}`;
  if (from) return `${letter} ${from.closed ? "\\ge" : ">"} ${rounded(from.at)}`;
  return to ? `${letter} ${to.closed ? "\\le" : "<"} ${rounded(to.at)}` : "";
}
