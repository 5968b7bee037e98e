import { signsOf, standsIn, stepHolds } from "./algebra.ts";
import type { Found } from "./found.ts";

/** Shorter ones are the name of something. */
const leastSigns = 3;
const relation = /=|<|>|\\(?:[lg]eq?|neq?|approx|equiv|to|iff|in|subset)(?![A-Za-z])/;

const formulas = /\$\$([\s\S]+?)\$\$|\$([^$\n]+)\$|\\\[([\s\S]+?)\\\]|\\\(([\s\S]+?)\\\)/g;
/** The formulas that stand in a text. */
export const formulasOf = (text: string): string[] =>
  [...text.matchAll(formulas)].map((found) => (found.slice(1).find((one) => one !== undefined) ?? "").replace(/[\s.,;]+$/, ""));

/** A formula, and with its sides the other way round where it has two. */
function ways(tex: string): string[] {
  const [left, right, more] = tex.split("=");
  return left !== undefined && right !== undefined && more === undefined ? [tex, `${right} = ${left}`] : [tex];
}

/** Whether a formula stands whole in texts, or follows from one of them as numbers can check it. */
function isFounded(tex: string, texts: readonly string[], written: readonly string[]): boolean {
  if (ways(tex).some((way) => standsIn(way, texts))) return true;
  if (signsOf(tex).length < leastSigns && !/\d/.test(tex)) return true;
  // What is true of all numbers needs no source.
  return stepHolds("0 = 0", tex) === true || written.some((formula) => stepHolds(formula, tex) === true);
}

/** Whether terms are one formula of the texts, or several beside each other. */
function areFounded(terms: readonly string[], texts: readonly string[], written: readonly string[]): boolean {
  const reached = [true];
  for (let end = 1; end <= terms.length; end += 1)
    reached[end] = terms.slice(0, end).some((_, from) => {
      const tex = terms.slice(from, end).join(" ");
      const isWhole = end - from === terms.length;
      return reached[from] === true && (isWhole || relation.test(tex)) && isFounded(tex, texts, written);
    });
  return reached[terms.length] === true;
}

/** How many signs two formulas have in common, in their order. */
function shared(one: readonly string[], other: readonly string[]): number {
  let row = other.map(() => 0);
  for (const sign of one) {
    const next: number[] = [];
    for (const [at, candidate] of other.entries())
      next.push(sign === candidate ? (row[at - 1] ?? 0) + 1 : Math.max(row[at] ?? 0, next[at - 1] ?? 0));
    row = next;
  }
  return row.at(-1) ?? 0;
}

/**
 * A formula stands whole in the course's page, or follows from one there as numbers can check it. A part of one, or one with a sign
 * exchanged, is another formula.
 * @param texts of the topic
 */
export function unfoundedFindings(terms: readonly { tex: string }[], texts: readonly string[]): Found[] {
  const tex = terms.map((term) => term.tex);
  const shown = tex.join(" ");
  const written = texts.flatMap(formulasOf);
  if (areFounded(tex, texts, written)) return [];
  const signs = signsOf(shown);
  const likeness = (formula: string): number => {
    const other = signsOf(formula);
    return shared(signs, other) / Math.max(signs.length, other.length);
  };
  const nearest = written.toSorted((one, other) => likeness(other) - likeness(one))[0];
  const isCopy = nearest !== undefined && likeness(nearest) >= 0.6;
  const detail = isCopy
    ? `The formula ${shown.slice(0, 100)} is not the one of the course: ${nearest.slice(0, 100)}`
    : `This formula neither stands on the page nor can be computed from one that does: ${shown.slice(0, 120)}`;
  return [{ problem: "unsupported", detail }];
}
