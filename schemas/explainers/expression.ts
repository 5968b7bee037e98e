/** The functions of an expression, each with its derivative: no number where it has none. */
const functions: Readonly<Record<string, readonly [of: (value: number) => number, slope: (value: number) => number]>> = {
  sin: [Math.sin, Math.cos],
  cos: [Math.cos, (value) => -Math.sin(value)],
  tan: [Math.tan, (value) => 1 / Math.cos(value) ** 2],
  asin: [Math.asin, (value) => 1 / Math.sqrt(1 - value ** 2)],
  acos: [Math.acos, (value) => -1 / Math.sqrt(1 - value ** 2)],
  atan: [Math.atan, (value) => 1 / (1 + value ** 2)],
  sinh: [Math.sinh, Math.cosh],
  cosh: [Math.cosh, Math.sinh],
  tanh: [Math.tanh, (value) => 1 - Math.tanh(value) ** 2],
  exp: [Math.exp, Math.exp],
  ln: [Math.log, (value) => 1 / value],
  log: [Math.log10, (value) => 1 / (value * Math.LN10)],
  sqrt: [Math.sqrt, (value) => 1 / (2 * Math.sqrt(value))],
  abs: [Math.abs, (value) => (value === 0 ? Number.NaN : Math.sign(value))],
  sign: [Math.sign, (value) => (value === 0 ? Number.NaN : 0)],
  floor: [Math.floor, (value) => (Number.isInteger(value) ? Number.NaN : 0)],
  ceil: [Math.ceil, (value) => (Number.isInteger(value) ? Number.NaN : 0)],
};
const constants: Letters = { pi: Math.PI, e: Math.E };

export type Expression = (x: number) => number;
/** A value with its derivative. */
type Dual = readonly [value: number, slope: number];
type Term = (x: number) => Dual;
/** Numbers that letters stand for. */
export type Letters = Readonly<Record<string, number>>;

const token = /\s*(?:(\d+(?:\.\d+)?|\.\d+)|([a-z]+)|([-+*/^()−·×÷]))/iy;
const signs: Readonly<Record<string, string>> = { "−": "-", "·": "*", "×": "*", "÷": "/" };

/**
 * Reads an expression of `x` such as `x^2 - 1`, `2 sin(x)` or `(x + 1)(x - 1)`: numbers, `pi`, `e`, `+ - * / ^`, brackets and the usual
 * functions; what stands side by side is multiplied. Nothing of it is ever run as code. Null where it cannot be read. Pure.
 * @param letter that it is an expression of
 * @param given other letters
 */
export function readExpression(text: string, letter = "x", given: Letters = {}): Expression | null {
  const read = readTerm(text, letter, given);
  return read && ((x) => read(x)[0]);
}

/** The derivative of an expression, by the rules of differentiation; no finite number where it has none. Null where it cannot be read. Pure. */
export function readDerivative(text: string, letter = "x", given: Letters = {}): Expression | null {
  const read = readTerm(text, letter, given);
  return (
    read &&
    ((x) => {
      const [value, slope] = read(x);
      return Number.isFinite(value) ? slope : Number.NaN;
    })
  );
}

/** The value of an expression of given letters only; no number where it cannot be read. Pure. */
export const readNumber = (text: string, given: Letters): number => readTerm(text, " ", given)?.(0)[0] ?? Number.NaN;

/** Whether an expression has a letter. Pure. */
export const hasLetter = (text: string, letter: string): boolean => tokensOf(text)?.includes(letter.toLowerCase()) ?? false;

/** Whether expressions have a function of a name. Pure. */
export const isFunction = (name: string): boolean => Object.hasOwn(functions, name.toLowerCase());

function readTerm(text: string, letter: string, given: Letters): Term | null {
  const tokens = tokensOf(text);
  if (!tokens || tokens.length === 0) return null;
  const reader = new Reader(tokens, letter.toLowerCase(), { ...constants, ...given });
  const read = reader.sum();
  return read && reader.atEnd ? read : null;
}

function tokensOf(text: string): string[] | null {
  const tokens: string[] = [];
  const whole = text.trim();
  token.lastIndex = 0;
  while (token.lastIndex < whole.length) {
    const found = token.exec(whole);
    if (!found) return null;
    const [, digits, name, sign = ""] = found;
    tokens.push(digits ?? name?.toLowerCase() ?? signs[sign] ?? sign);
  }
  return tokens;
}

class Reader {
  readonly #tokens: readonly string[];
  readonly #letter: string;
  readonly #given: Letters;
  #at = 0;

  constructor(tokens: readonly string[], letter: string, given: Letters) {
    this.#tokens = tokens;
    this.#letter = letter;
    this.#given = given;
  }

  get atEnd(): boolean {
    return this.#at === this.#tokens.length;
  }
  get #next(): string {
    return this.#tokens[this.#at] ?? "";
  }
  #take(...wanted: string[]): string | null {
    if (this.atEnd || !wanted.includes(this.#next)) return null;
    this.#at += 1;
    return this.#tokens[this.#at - 1] ?? null;
  }

  sum(): Term | null {
    let left = this.#product();
    for (let sign = left && this.#take("+", "-"); left && sign; sign = this.#take("+", "-")) left = joined(sign, left, this.#product());
    return left;
  }

  #product(): Term | null {
    let left = this.#signed();
    while (left) {
      const sign = this.#take("*", "/");
      if (!sign && !/^[a-z(]/.test(this.#next)) break;
      left = joined(sign ?? "*", left, sign ? this.#signed() : this.#power());
    }
    return left;
  }

  /** A sign before a power belongs to all of it: `-x^2` is never above 0. */
  #signed(): Term | null {
    const sign = this.#take("+", "-");
    if (!sign) return this.#power();
    const of = this.#signed();
    return of && sign === "-" ? joined("-", () => [0, 0], of) : of;
  }

  #power(): Term | null {
    const base = this.#atom();
    if (!base || !this.#take("^")) return base;
    return joined("^", base, this.#signed());
  }

  #atom(): Term | null {
    if (this.#take("(")) {
      const inner = this.sum();
      return this.#take(")") ? inner : null;
    }
    const text = this.#next;
    this.#at += 1;
    if (/^[\d.]/.test(text)) {
      const value = Number(text);
      return () => [value, 0];
    }
    if (text === this.#letter) return (x) => [x, 1];
    const value = Object.hasOwn(this.#given, text) ? this.#given[text] : undefined;
    if (value !== undefined) return () => [value, 0];
    const apply = Object.hasOwn(functions, text) ? functions[text] : undefined;
    if (!apply || !this.#take("(")) return null;
    const inner = this.sum();
    if (!inner || !this.#take(")")) return null;
    const [of, slopeOf] = apply;
    return (x) => {
      const [value, slope] = inner(x);
      return [of(value), slopeOf(value) * slope];
    };
  }
}

const rules: Readonly<Record<string, (left: Dual, right: Dual) => Dual>> = {
  "+": ([a, da], [b, db]) => [a + b, da + db],
  "-": ([a, da], [b, db]) => [a - b, da - db],
  "*": ([a, da], [b, db]) => [a * b, da * b + a * db],
  "/": ([a, da], [b, db]) => [a / b, (da * b - a * db) / b ** 2],
  "^": ([a, da], [b, db]) => {
    const value = a ** b;
    if (db !== 0) return [value, value * (db * Math.log(a) + (b * da) / a)];
    return [value, b === 0 ? 0 : b * a ** (b - 1) * da];
  },
};

function joined(sign: string, left: Term, right: Term | null): Term | null {
  const rule = rules[sign];
  return right && rule ? (x) => rule(left(x), right(x)) : null;
}
