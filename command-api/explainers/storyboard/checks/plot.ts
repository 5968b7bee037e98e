import { type Expression, readExpression } from "@colloquy/schemas/explainers/expression.ts";
import type { SceneOf } from "@colloquy/schemas/explainers/storyboard.ts";
import { functionOf } from "./algebra.ts";
import type { Found } from "./found.ts";
import { labelFormulas, saidNumbers } from "./plot-label.ts";
import { isWritten } from "./written.ts";

type Plot = SceneOf<"plot">["content"];
type Shown = Plot["functions"][number];

const unclear = (detail: string): Found => ({ problem: "unclear", detail });
const unsupported = (detail: string): Found => ({ problem: "unsupported", detail });

const trials = 16;
const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= 1e-6 * Math.max(1, Math.abs(one), Math.abs(other));

/** Whether two functions are the same where both have values between two places, which must be a third of it. Pure. */
export function isSame(one: Expression, other: Expression, { from, to }: Pick<Plot["x"], "from" | "to">): boolean {
  const at = Array.from({ length: trials }, (_, trial) => from + ((to - from) * (trial + 0.37)) / trials);
  const values = at.map((x) => [one(x), other(x)] as const).filter(([a, b]) => Number.isFinite(a) && Number.isFinite(b));
  return values.length >= trials / 3 && values.every(([a, b]) => isNear(a, b));
}

/** What formulas of texts say, between their relations. */
export const piecesOf = (texts: readonly string[]): string[] =>
  texts.flatMap((text) =>
    [...text.matchAll(/\$\$([\s\S]+?)\$\$|\$([^$\n]+)\$|\\\[([\s\S]+?)\\\]|\\\(([\s\S]+?)\\\)|`([^`\n]+)`/g)].flatMap((found) =>
      (found.slice(1).find((one) => one !== undefined) ?? "")
        .split(/=|<|>|\\(?:leq?|geq?|to|mapsto|approx|quad|qquad|text|colon|Rightarrow|iff)(?![a-z])|,/)
        .map((piece) => piece.replace(/[\s.;:]+$/, "").trim())
        .filter((piece) => piece !== "" && piece.length <= 120),
    ),
  );

const givenNumber = /(?<![\p{L}])(\p{L})\s*=\s*(-?\d+(?:\.\d+)?)(?![\d.]|\s*[-+*/^\p{L}])/gu;
/** The numbers that a text gives to letters: `S = 2`. */
const givenIn = (text: string): [letter: string, value: number][] =>
  [...text.replaceAll("−", "-").matchAll(givenNumber)].map(([, letter = "", value]) => [letter, Number(value)]);
const givenBy = (label: string): ReadonlyMap<string, number> => new Map(givenIn(label));

/** Formulas of the passages that are a function, in whatever letter, and with the numbers that its label gives to the others: their letters. */
function sameInCourse({ label }: Shown, own: Expression, x: Plot["x"], pieces: readonly string[]): ReadonlySet<string>[] {
  const given = givenBy(label);
  return pieces.flatMap((piece) => {
    const read = functionOf(piece);
    if (!read) return [];
    const free = [...read.letters].filter((letter) => !given.has(letter) && letter !== "e");
    if (free.length > 1) return [];
    const [letter = "x"] = free;
    return isSame(own, (at) => read.value(new Map([...given, ["e", Math.E], [letter, at]])), x) ? [read.letters] : [];
  });
}

/** What is wrong with where a curve comes from: the passages write it, and its label gives only numbers that it has or that they give. */
function sourceFindings(shown: Shown, own: Expression, x: Plot["x"], texts: readonly string[], pieces: readonly string[]): Found[] {
  const same = sameInCourse(shown, own, x, pieces);
  if (same.length === 0 && !isWritten(shown.expression, texts))
    return [unsupported(`The function ${shown.expression} is none that the passages of the scene write.`)];
  const written = texts.flatMap(givenIn);
  const strange = givenIn(shown.label).find(
    ([letter, value]) =>
      !same.some((letters) => letters.has(letter)) &&
      !isSame(own, () => value, x) &&
      !written.some(([other, number]) => other === letter && number === value),
  );
  return strange ? [unclear(`The curve ${shown.expression} has no ${strange.join(" = ")}, as its label “${shown.label}” says.`)] : [];
}

/** What is wrong with the label of a curve: its formulas are the curve. */
function labelFindings({ expression, label }: Shown, own: Expression, x: Plot["x"]): Found[] {
  const said = labelFormulas(label, givenBy(label));
  if (said.includes(null)) return [unclear(`The formula of the label “${label}” cannot be read: label the curve with words only.`)];
  const isOther = said.some((one) => one !== null && !isSame(own, one, x));
  return isOther ? [unclear(`The curve is ${expression}, and its label says “${label}”.`)] : [];
}

/** Whether something is at a place of the axis: a zero, a crossing, a highest or lowest point. */
function isSpecial(x: number, functions: readonly Expression[]): boolean {
  const flat = (one: Expression): boolean => Math.abs(one(x + 1e-4) - one(x - 1e-4)) / 2e-4 < 1e-3;
  return functions.some(
    (one, index) => Math.abs(one(x)) < 1e-6 || flat(one) || functions.slice(0, index).some((other) => Math.abs(one(x) - other(x)) < 1e-6),
  );
}

/** Functions are ones of the passages, and their labels and those of marks say what is drawn. */
export function plotFindings({ content: { x, functions, marks } }: SceneOf<"plot">, texts: readonly string[]): Found[] {
  if (!(x.from < x.to) || Math.abs(x.from) > 1e6 || Math.abs(x.to) > 1e6) return [unclear("The x axis leads from nowhere to nowhere.")];
  const strange = functions.find(({ expression }) => readExpression(expression) === null);
  if (strange) return [unclear(`A function cannot be read: ${strange.expression}`)];
  const found: Found[] = [];
  if (marks.some((mark) => mark.x < x.from || mark.x > x.to)) found.push(unclear("A mark lies beside the x axis."));
  const pieces = piecesOf(texts);
  const read = functions.flatMap(({ expression }) => readExpression(expression) ?? []);
  for (const [index, shown] of functions.entries()) {
    const own = read[index];
    const wrong = own ? labelFindings(shown, own, x) : [];
    if (wrong.length > 0) found.push(...wrong);
    else if (own) found.push(...sourceFindings(shown, own, x, texts, pieces));
  }
  const numbers = new Set(texts.flatMap((text) => text.replaceAll("−", "-").match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number));
  const given = new Map(functions.flatMap(({ label }) => givenIn(label)));
  for (const mark of marks) {
    if (!saysItsPlace(mark, read, given, numbers)) found.push(unclear(`A mark at ${mark.x} says “${mark.label}”.`));
    else if (!numbers.has(mark.x) && mark.x !== 0 && !isSpecial(mark.x, read))
      found.push(unsupported(`The passages of the scene say nothing of ${mark.x}, where “${mark.label}” is marked.`));
    const end = ends.find(({ named }) => named.test(mark.label));
    if (end && !read.some((one) => isEnd(one, mark.x, end.sign, x)))
      found.push(unclear(`A mark at ${mark.x} says “${mark.label}”, and no curve turns there so.`));
  }
  return found;
}

type Mark = Plot["marks"][number];

/**
 * Whether the numbers of a mark's label are its place or values there. One at least must be; another may be of the passages where the label
 * gives it to nothing.
 */
function saysItsPlace(
  { x, label }: Mark,
  functions: readonly Expression[],
  given: ReadonlyMap<string, number>,
  numbers: ReadonlySet<number>,
): boolean {
  const shown = [x, ...functions.map((one) => one(x))];
  // A letter that the label of a curve gives is none of its values.
  const own = label
    .replaceAll("−", "-")
    .replace(givenNumber, (whole, letter: string, value) => (given.get(letter) === Number(value) ? " " : whole));
  const said = saidNumbers(own, x, new Map());
  const isShown = ({ values, within }: (typeof said)[number]): boolean =>
    values.some((one) => shown.some((value) => Math.abs(value - one) <= Math.max(within, 0.005 * Math.max(1, Math.abs(value)))));
  const isGiving = /[=≈]|\p{L}\(|\([^()\p{L}]+[,;|][^()\p{L}]+\)/u.test(label);
  const isKnown = (one: (typeof said)[number]): boolean => !isGiving && one.values.some((value) => numbers.has(value));
  return said.length === 0 || (said.some(isShown) && said.every((one) => isShown(one) || isKnown(one)));
}

/** Words for the highest and the lowest place of a curve, and in which direction it is. */
const ends = [
  { sign: 1, named: /\bmaxim(?:um|a)\b|\bhighest\b|\bHochpunkt|\bhöchste|أعلى|العظمى/iu },
  { sign: -1, named: /\bminim(?:um|a)\b|\blowest\b|\bTiefpunkt|\b(?:tiefste|niedrigste)|أدنى|الصغرى/iu },
];
/** Whether a function is nowhere beyond its value near a place; of a place that was rounded, a hundredth of the axis counts as near. */
function isEnd(of: Expression, at: number, sign: number, { from, to }: Plot["x"]): boolean {
  const near = [-1, 1].map((side) => at + (side * (to - from)) / 100).filter((x) => x >= from && x <= to);
  return near.every((x) => !(sign * of(x) > sign * of(at)));
}
