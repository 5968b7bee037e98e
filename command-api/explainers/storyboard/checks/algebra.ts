import { rootsIn } from "@colloquy/schemas/explainers/roots.ts";

/** A value for each letter. */
type Values = ReadonlyMap<string, number>;
type Term = (values: Values) => number;

const spaces = /(?<!\\)\\(?:[,;:!> ]|quad|qquad|left|right|displaystyle|bigl?|bigr?)(?![A-Za-z])|[\s~]/gu;
const token = / *(\\begin\{[pb]matrix\}|\\end\{[pb]matrix\}|\\\\|\\[A-Za-z]+|\d+(?:\.\d+)?|[A-Za-z]|[-+*/^_(){}[\]&=])/gy;
const functions: Readonly<Record<string, (value: number) => number>> = {
  "\\sin": Math.sin,
  "\\cos": Math.cos,
  "\\tan": Math.tan,
  "\\exp": Math.exp,
  "\\ln": Math.log,
};
const letters = /^\\(?:alpha|beta|gamma|delta|epsilon|theta|kappa|lambda|mu|rho|sigma|tau|phi|omega)$/;
/** Capital letters are matrices as a rule, and those do not commute. */
const isLetter = (sign: string): boolean => /^[a-z]$/.test(sign) || letters.test(sign);

/** `\\frac{dy}{dx}`, `d/dx`: no quotient of products. */
const derivative = /\\frac\{d[^{}]*(?:\{[^{}]*\}[^{}]*)?\}\{d\\?[A-Za-z]|d(?:\^\d)?[A-Za-z]?\/d[A-Za-z]/;
/** `dy = 2x dx` has no letter d. */
const differential = /(?<![A-Za-z\\])d\s*[rstuxyz](?![A-Za-z])/g;

function tokensOf(tex: string): string[] | null {
  const text = tex
    .replace(spaces, " ")
    .replace(/(?<=\d) +(?=\d)/g, "")
    .replace(/\\[dt]frac(?![A-Za-z])/g, "\\frac")
    .trim();
  if (derivative.test(text.replaceAll(" ", ""))) return null;
  const tokens: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const found = token.exec(text)?.[1];
    if (found === undefined) return null;
    tokens.push(found);
  }
  return tokens;
}

class Unreadable extends Error {}

/** Letters that name functions as a rule. */
const named = /^[fgh](?:_|$)/;

/** Reads the arithmetic of TeX: sums, products, powers, fractions, roots, the determinant of a written 2 by 2 matrix. */
class Reader {
  readonly #tokens: string[];
  readonly #isLetter: (sign: string) => boolean;
  readonly used = new Set<string>();
  #at = 0;
  constructor(tokens: readonly string[], letter = isLetter) {
    this.#tokens = [...tokens];
    this.#isLetter = letter;
  }
  get #next(): string {
    return this.#tokens[this.#at] ?? "";
  }
  #isNext(sign: string): boolean {
    return this.#next === sign;
  }
  get atEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }
  #take(sign?: string): string {
    const one = this.#next;
    if (one === "" || (sign !== undefined && one !== sign)) throw new Unreadable();
    this.#at += 1;
    return one;
  }

  sum(): Term {
    let left = this.#signed();
    while (this.#next === "+" || this.#next === "-") {
      const isMinus = this.#take() === "-";
      const [one, other] = [left, this.#product()];
      left = isMinus ? (values) => one(values) - other(values) : (values) => one(values) + other(values);
    }
    return left;
  }
  #signed(): Term {
    if (this.#next !== "-") return this.#product();
    this.#take();
    const of = this.#product();
    return (values) => -of(values);
  }
  #product(): Term {
    let before = this.#next;
    let left = this.#power();
    for (;;) {
      const sign = this.#next;
      const isDivided = sign === "/";
      // Between letters it is the product of vectors as a rule, and that does not commute.
      if (sign === "\\times" && !/^\d/.test(before) && !/^\d/.test(this.#tokens[this.#at + 1] ?? "")) throw new Unreadable();
      if (isDivided || sign === "*" || sign === "\\cdot" || sign === "\\times") this.#take();
      else if (!/^(?:\d|[A-Za-z(]|\\(?!cdot|times|end|\\))/.test(sign)) return left;
      before = this.#next;
      const [one, other] = [left, this.#power()];
      left = isDivided ? (values) => one(values) / other(values) : (values) => one(values) * other(values);
    }
  }
  #power(): Term {
    const sign = this.#next;
    const base = this.#atom();
    if (this.#next !== "^") return base;
    this.#take();
    const exponent = this.#group();
    if (named.test(sign) && this.#isNext("(")) throw new Unreadable();
    return (values) => base(values) ** exponent(values);
  }
  /** What stands above or below a line: without braces one digit of a number. */
  #part(): Term {
    const [digit = "", ...more] = this.#next;
    if (/\d/.test(digit) && more.length > 0) this.#tokens.splice(this.#at, 1, digit, more.join(""));
    return this.#group();
  }
  /** What stands in braces, or one sign. */
  #group(): Term {
    if (this.#next !== "{") return this.#atom();
    this.#take("{");
    const inner = this.sum();
    this.#take("}");
    return inner;
  }
  /** What a function is applied to: what stands in brackets, or the factors that follow, as `2x` in `\sin 2x`. */
  #argument(): Term {
    if (this.#isNext("(")) {
      const inner = this.#atom();
      // `\sin(x)^2` is read in two ways, and so are `\sin 2(x + 1)` and `\sin t e^{-t}`.
      if (this.#isNext("^")) throw new Unreadable();
      return inner;
    }
    let all = this.#power();
    while (/^(?:\d|\\(?:frac|sqrt|pi)$)/.test(this.#next) || this.#isLetter(this.#next)) {
      if (this.#next === "e") throw new Unreadable();
      const [one, other] = [all, this.#power()];
      all = (values) => one(values) * other(values);
    }
    if (this.#isNext("(")) throw new Unreadable();
    return all;
  }
  /** Whether a letter is applied to what stands in brackets after it, as in `f(x)`, and no factor of it. */
  #isApplied(letter: string): boolean {
    if (this.#next !== "(") return false;
    let depth = 0;
    const end = this.#tokens.findIndex((sign, at) => {
      if (at >= this.#at) depth += sign === "(" ? 1 : sign === ")" ? -1 : 0;
      return at > this.#at && depth === 0;
    });
    const inside = this.#tokens.slice(this.#at + 1, end);
    const isAlone = inside.filter((sign) => sign !== "-").length <= 1;
    return named.test(letter) || isAlone || (letter === "p" && !inside.includes("p"));
  }
  #atom(): Term {
    const sign = this.#take();
    if (/^\d/.test(sign)) return () => Number(sign);
    if (sign === "(") {
      const inner = this.sum();
      this.#take(")");
      return inner;
    }
    if (sign === "{") {
      const inner = this.sum();
      this.#take("}");
      return inner;
    }
    if (sign === "\\frac") {
      const [above, below] = [this.#part(), this.#part()];
      return (values) => above(values) / below(values);
    }
    if (sign === "\\sqrt") {
      const inner = this.#group();
      return (values) => Math.sqrt(inner(values));
    }
    if (sign === "\\pi") return () => Math.PI;
    if (sign === "\\det") return this.#determinant();
    const apply = functions[sign];
    if (apply) {
      const inner = this.#argument();
      return (values) => apply(inner(values));
    }
    if (!this.#isLetter(sign)) throw new Unreadable();
    let name = sign;
    if (this.#next === "_") {
      this.#take();
      name += `_${this.#take()}`;
    }
    if (this.#isApplied(name)) throw new Unreadable();
    this.used.add(name);
    return (values) => values.get(name) ?? Number.NaN;
  }
  #determinant(): Term {
    const kind = /matrix/.exec(this.#next) ? this.#take().replace("begin", "end") : this.#take("a matrix");
    const a = this.sum();
    this.#take("&");
    const b = this.sum();
    this.#take("\\\\");
    const c = this.sum();
    this.#take("&");
    const d = this.sum();
    this.#take(kind);
    return (values) => a(values) * d(values) - b(values) * c(values);
  }
}

/** An expression, or for equations the difference of their sides: zero where they hold; alternatives are multiplied. */
interface Statement {
  isEquation: boolean;
  value: Term;
  letters: ReadonlySet<string>;
}

const or = /\\(?:text|mathrm)\{\s*(?:or|oder|أو)\s*\}/u;

/** A formula as numbers can check it; null where it is more than arithmetic. */
function statementOf(tex: string): Statement | null {
  if ((tex.match(differential)?.length ?? 0) > 1) return null;
  const used = new Set<string>();
  try {
    const alternatives = tex.split(or).map((alternative) => {
      const sides = alternative.split("=").map((side) => {
        const tokens = tokensOf(side);
        if (!tokens || tokens.length === 0) throw new Unreadable();
        const reader = new Reader(tokens);
        const value = reader.sum();
        if (!reader.atEnd) throw new Unreadable();
        for (const letter of reader.used) used.add(letter);
        return value;
      });
      if (sides.length > 2) throw new Unreadable();
      return sides;
    });
    const isEquation = alternatives.every((sides) => sides.length === 2);
    if (!isEquation && (alternatives.length > 1 || alternatives[0]?.length !== 1)) return null;
    const differences = alternatives.map(
      ([left, right]): Term =>
        (values) =>
          (left?.(values) ?? Number.NaN) - (right?.(values) ?? 0),
    );
    return { isEquation, value: (values) => differences.reduce((all, one) => all * one(values), 1), letters: used };
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

/** An expression with its letters, capitals among them; null where it is more than arithmetic. Pure. */
export function functionOf(tex: string): { value: Term; letters: ReadonlySet<string> } | null {
  try {
    const tokens = tokensOf(tex);
    if (!tokens || tokens.length === 0) return null;
    const reader = new Reader(tokens, (sign) => isLetter(sign) || /^[A-Z]$/.test(sign));
    const value = reader.sum();
    return reader.atEnd ? { value, letters: reader.used } : null;
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

const trials = 24;
/** The same values for the same trial: no number of these is special. */
const valueAt = (trial: number, letter: number): number => ((trial * 0.754877666 + letter * 0.569840291 + 0.137) % 1) * 6 - 2.7;
const near = (one: number, other: number): boolean => Math.abs(one - other) <= 1e-7 * Math.max(1, Math.abs(one), Math.abs(other));

/** Where a function of one letter is zero: between -50 and 50 in small steps, and `far` beyond in ever larger ones. */
function rootsOf({ value, letters }: Statement, far: boolean): number[] {
  const [letter = "x"] = letters;
  const at = (x: number): number => value(new Map([[letter, x]]));
  const near = rootsIn(at, { from: -50, to: 50 }, 0.0137);
  if (!far) return near;
  // Divided, because far out rounding alone takes what grows with a power away from zero.
  const beyond = [-50, 50].flatMap((edge) =>
    rootsIn((power) => at(edge * Math.exp(power)) / Math.exp(2 * power), { from: 1e-4, to: 16 }, 0.00137).map(
      (power) => edge * Math.exp(power),
    ),
  );
  return [...near, ...beyond].toSorted((one, other) => one - other);
}

/** Solutions of an equation of several letters: each is sought in turn while the others have values. */
function* solutionsOf({ value, letters }: Statement, names: readonly string[], isPositive: boolean): Generator<Values> {
  for (let trial = 0; trial < 6; trial += 1)
    for (const sought of letters) {
      const given = names.map((name, letter) => [name, valueAt(trial, letter + 1)] as const);
      const others = isPositive ? given.map(([name, number]) => [name, Math.abs(number) + 0.1] as const) : given;
      const at = (x: number): number => value(new Map([...others, [sought, x]]));
      for (const root of rootsIn(at, { from: isPositive ? 0.013 : -20, to: 20 }, 0.11)) yield new Map([...others, [sought, root]]);
    }
}

/** Whether the solutions of each of two equations solve the other; null where too few are found. */
function haveSameSolutions(one: Statement, other: Statement, names: readonly string[], isPositive: boolean): boolean | null {
  let least = Number.POSITIVE_INFINITY;
  for (const [from, to] of [[one, other] as const, [other, one] as const]) {
    let found = 0;
    for (const solution of solutionsOf(from, names, isPositive)) {
      const left = to.value(solution);
      if (!Number.isFinite(left)) continue;
      if (Math.abs(left) > 1e-4 * Math.max(1, ...[...solution.values()].map(Math.abs))) return false;
      found += 1;
    }
    least = Math.min(least, found);
  }
  return least < 6 ? null : true;
}

/** Whether equations of several letters say the same; null for the course to say. */
function holdsForLetters(one: Statement, other: Statement, names: readonly string[]): boolean | null {
  // Numbers may have been put in for letters.
  if (other.letters.size < one.letters.size && [...other.letters].every((letter) => one.letters.has(letter))) return null;
  const ofPositive = haveSameSolutions(one, other, names, true);
  if (ofPositive === false) return false;
  const ofAll = haveSameSolutions(one, other, names, false);
  // Letters may be lengths: then `c^2 = a^2 + b^2` gives `c = \\sqrt{a^2 + b^2}`.
  return ofAll === false && ofPositive ? null : ofAll;
}

/**
 * Whether a step of a derivation is right, tried with numbers: expressions are equal, equations have the same solutions.
 * @returns null where the formulas are more than arithmetic. Pure
 */
export function stepHolds(before: string, after: string): boolean | null {
  const [one, other] = [statementOf(before), statementOf(after)];
  if (!one || !other) return null;
  if (one.isEquation !== other.isEquation) return false;
  const names = [...new Set([...one.letters, ...other.letters])].toSorted();
  const pairs = Array.from({ length: trials }, (_, trial) => {
    const values = new Map(names.map((name, letter) => [name, valueAt(trial, letter + 1)]));
    return [one.value(values), other.value(values)] as const;
  }).filter(([left, right]) => Number.isFinite(left) && Number.isFinite(right));
  if (pairs.length < trials / 3) return null;
  if (!one.isEquation) return pairs.every(([left, right]) => near(left, right));
  const [first] = pairs.filter(([left]) => Math.abs(left) > 1e-6);
  // Without letters both are true or both are false.
  if (!first) return pairs.every(([, right]) => Math.abs(right) < 1e-9);
  const factor = first[1] / first[0];
  if (Math.abs(factor) > 1e-9 && pairs.every(([left, right]) => near(left * factor, right))) return true;
  if (names.length > 1) return holdsForLetters(one, other, names);
  if (names.length === 0) return false;
  // A function that repeats itself has zeros without end.
  const far = !/\\(?:sin|cos|tan)/.test(before + after);
  const [roots, others] = [rootsOf(one, far), rootsOf(other, far)];
  const isSame = (root: number, index: number): boolean => Math.abs(root - (others[index] ?? 0)) < 1e-3 * Math.max(1, Math.abs(root) / 50);
  return roots.length > 0 && roots.length === others.length && roots.every(isSame);
}

const marks: Readonly<Record<string, string>> = {
  "−": "-",
  "×": "\\cdot ",
  "·": "\\cdot ",
  "≤": "\\le ",
  "≥": "\\ge ",
  "≠": "\\ne ",
  "→": "\\to ",
  "↔": "\\iff ",
  "∧": "\\land ",
  "∨": "\\lor ",
  "¬": "\\lnot ",
  "∀": "\\forall ",
  "∃": "\\exists ",
  "∈": "\\in ",
  λ: "\\lambda ",
  α: "\\alpha ",
  β: "\\beta ",
  π: "\\pi ",
  "²": "^2",
  "³": "^3",
};
const equal: Readonly<Record<string, string>> = {
  leq: "le",
  geq: "ge",
  neq: "ne",
  times: "cdot",
  rightarrow: "to",
  wedge: "land",
  vee: "lor",
  neg: "lnot",
  leftrightarrow: "iff",
  Leftrightarrow: "iff",
  tfrac: "frac",
  dfrac: "frac",
};

/** TeX for comparing: one way of writing each sign, and nothing that only changes its look. */
const bare = (tex: string): string =>
  tex
    .replace(/[^\0-\u007f]/gu, (sign) => marks[sign] ?? sign)
    .replace(/[_^]\{\\text\{[^{}]*\}\}|\\(?:text|mathrm|operatorname)(?=\{)/g, "")
    .replace(/\\(?:under|over)brace\s*\{((?:[^{}]|\{[^{}]*\})*)\}/g, "$1")
    .replace(/\\([A-Za-z]+)/g, (_, name: string) => `\\${equal[name] ?? name}`)
    .replace(spaces, " ")
    .replace(/\{ *\}/g, " ")
    .replace(/(?<=[_^]) *\{ *(\\[A-Za-z]+|\w) *\}/g, "$1 ");

/** A word of a sentence, which ends a formula beside it. */
const word = /(?<=\s|^)(?:\p{L}{3,}|is|or|and|to|so|if|in|of|we|it|as|at|by|ist|so|da)(?=[\s.,;:!?]|$)/gu;
/** Signs of formulas, with numbers and commands whole: `x=1` is no part of `x=12`. Pure. */
export const signsOf = (tex: string): string[] =>
  (bare(tex.replace(word, (one) => `\u0000${one}\u0000`)).match(/\\[A-Za-z]+|\d+(?:\.\d+)?|[\s\S]/g) ?? []).filter(
    (sign) => sign !== "\\cdot" && sign !== " ",
  );
/** Signs that a side of an equation goes on with: the part of a sum, a product or a power is not the whole. */
const factor = String.raw`\\(?:cdot|times|frac|sqrt|sin|cos|tan|exp|ln|log|pi|alpha|beta|gamma|delta|theta|lambda|mu|sigma)$`;
const goesOn = new RegExp(String.raw`^(?:[-+*/^_(\p{L}\p{N}]$|\d|${factor})`, "u");
const goesBefore = new RegExp(String.raw`^(?:[-+*/^_)\]\p{L}\p{N}]$|\d|${factor})`, "u");

/** Where a formula stands whole in a text, as numbers of its signs. */
function placesIn(tex: string, text: string): number[] {
  const [sought, all] = [signsOf(tex), signsOf(text)];
  return all.flatMap((_, at) => {
    const isHere = sought.length > 0 && sought.every((sign, index) => all[at + index] === sign);
    return isHere && !goesBefore.test(all[at - 1] ?? "") && !goesOn.test(all[at + sought.length] ?? "") ? [at] : [];
  });
}

/** Whether a formula stands in one of some texts, whole. Pure. */
export const standsIn = (tex: string, texts: readonly string[]): boolean => texts.some((text) => placesIn(tex, text).length > 0);

/** Whether of two formulas the second comes after the first somewhere in texts. Pure. */
export function comeInOrder(before: string, after: string, texts: readonly string[]): boolean {
  const whole = texts.join("\n");
  return (placesIn(before, whole)[0] ?? -1) <= (placesIn(after, whole).at(-1) ?? -1);
}
