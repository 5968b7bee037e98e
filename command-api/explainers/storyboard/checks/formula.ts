import { stepHolds } from "./algebra.ts";
import type { Found } from "./found.ts";

const size = /\\(?:left|right|displaystyle|[bB]igg?[lr]?|q?quad|cdot|times)(?![A-Za-z])|\\[,;:! ]|[\s{}~&$]/g;
/** Signs of a formula without what changes nothing: spaces, sizes, braces, dots of products. Exponents and indices are one sign each. */
const signsOf = (tex: string): string[] =>
  tex
    .replaceAll("−", "-")
    .replace(/\\([lg])eq(?![a-z])/g, "\\$1e")
    .replace(size, (one) => (/^\\(?:[lr]|cdot|times|q)/.test(one) ? " " : one === "{" || one === "}" ? "" : " "))
    .match(/[\^_]\s*(?:\\[A-Za-z]+|\w)|\\[A-Za-z]+|\\\\|\d+(?:\.\d+)?|\S/g) ?? [];

/** What cannot be another without the formula being wrong: signs, numbers, relations, exponents. */
const telling = /^(?:[-+=<>]|\\pm|\\[lg]e|\d.*|\^.+)$/;
/** Shorter formulas are a letter and its value, which differs from example to example. */
const leastSigns = 5;

const formulas = /\$\$([\s\S]+?)\$\$|\$([^$\n]+)\$|\\\[([\s\S]+?)\\\]|\\\(([\s\S]+?)\\\)/g;
const formulasOf = (text: string): string[] =>
  [...text.matchAll(formulas)].map((found) => (found.slice(1).find((one) => one !== undefined) ?? "").replace(/[\s.,;]+$/, ""));

const stands = (sought: readonly string[], all: readonly string[]): boolean =>
  all.some((_, at) => sought.every((sign, index) => all[at + index] === sign));

/** Whether a formula is another, or a part of it, but for one sign. */
function isAltered(one: readonly string[], other: readonly string[]): boolean {
  const isExchanged = other.some((_, at) => {
    const differing = one.flatMap((sign, index) => (sign === other[at + index] ? [] : [[sign, other[at + index] ?? ""]]));
    return differing.length === 1 && differing.flat().every((sign) => telling.test(sign));
  });
  const [long, short] = one.length > other.length ? [one, other] : [other, one];
  const isLeftOut =
    long.length === short.length + 1 &&
    long.some((sign, index) => telling.test(sign) && long.toSpliced(index, 1).every((rest, at) => rest === short[at]));
  return isExchanged || isLeftOut;
}

/**
 * A formula that is one of the scene's passages but for one sign, number or exponent is a wrong copy, unless it follows from that one or
 * stands elsewhere in the course.
 * @param texts of the passages that the scene's sources have
 * @param all texts of the topic
 */
export function alteredFindings(terms: readonly { tex: string }[], texts: readonly string[], all: readonly string[]): Found[] {
  const shown = terms.map(({ tex }) => tex).join(" ");
  const signs = signsOf(shown);
  if (signs.length < leastSigns || all.some((text) => stands(signs, signsOf(text)))) return [];
  const altered = texts.flatMap(formulasOf).find((formula) => isAltered(signs, signsOf(formula)) && stepHolds(formula, shown) !== true);
  return altered === undefined
    ? []
    : [{ problem: "unsupported", detail: `The formula ${shown.slice(0, 100)} is not the one of the course: ${altered.slice(0, 100)}` }];
}
