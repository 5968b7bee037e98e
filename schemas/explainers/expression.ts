/** The functions of an expression. */
const functions: Readonly<Record<string, (value: number) => number>> = {
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  exp: Math.exp,
  ln: Math.log,
  log: Math.log10,
  sqrt: Math.sqrt,
  abs: Math.abs,
  sign: Math.sign,
  floor: Math.floor,
  ceil: Math.ceil,
};
const constants: Readonly<Record<string, number>> = { pi: Math.PI, e: Math.E };

export type Expression = (x: number) => number;

const token = /\s*(?:(\d+(?:\.\d+)?|\.\d+)|([a-z]+)|([-+*/^()−·×÷]))/iy;
const signs: Readonly<Record<string, string>> = { "−": "-", "·": "*", "×": "*", "÷": "/" };

/**
 * Reads an expression of `x` such as `x^2 - 1`, `2 sin(x)` or `(x + 1)(x - 1)`: numbers, `pi`, `e`, `+ - * / ^`, brackets and the usual
 * functions; what stands side by side is multiplied. Nothing of it is ever run as code. Null where it cannot be read. Pure.
 * @param letter that it is an expression of
 */
export function readExpression(text: string, letter = "x"): Expression | null {
  const tokens = tokensOf(text);
  if (!tokens || tokens.length === 0) return null;
  const reader = new Reader(tokens, letter.toLowerCase());
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
  #at = 0;

  constructor(tokens: readonly string[], letter: string) {
    this.#tokens = tokens;
    this.#letter = letter;
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

  sum(): Expression | null {
    let left = this.#product();
    for (let sign = left && this.#take("+", "-"); left && sign; sign = this.#take("+", "-")) left = joined(sign, left, this.#product());
    return left;
  }

  #product(): Expression | null {
    let left = this.#signed();
    while (left) {
      const sign = this.#take("*", "/");
      if (!sign && !/^[a-z(]/.test(this.#next)) break;
      left = joined(sign ?? "*", left, sign ? this.#signed() : this.#power());
    }
    return left;
  }

  /** A sign before a power belongs to all of it: `-x^2` is never above 0. */
  #signed(): Expression | null {
    const sign = this.#take("+", "-");
    if (!sign) return this.#power();
    const of = this.#signed();
    return of && sign === "-" ? (x) => -of(x) : of;
  }

  #power(): Expression | null {
    const base = this.#atom();
    if (!base || !this.#take("^")) return base;
    return joined("^", base, this.#signed());
  }

  #atom(): Expression | null {
    if (this.#take("(")) {
      const inner = this.sum();
      return this.#take(")") ? inner : null;
    }
    const text = this.#next;
    this.#at += 1;
    if (/^[\d.]/.test(text)) {
      const value = Number(text);
      return () => value;
    }
    if (text === this.#letter) return (x) => x;
    const value = Object.hasOwn(constants, text) ? constants[text] : undefined;
    if (value !== undefined) return () => value;
    const apply = Object.hasOwn(functions, text) ? functions[text] : undefined;
    if (!apply || !this.#take("(")) return null;
    const inner = this.sum();
    return inner && this.#take(")") ? (x) => apply(inner(x)) : null;
  }
}

function joined(sign: string, left: Expression, right: Expression | null): Expression | null {
  if (!right) return null;
  if (sign === "+") return (x) => left(x) + right(x);
  if (sign === "-") return (x) => left(x) - right(x);
  if (sign === "*") return (x) => left(x) * right(x);
  return sign === "/" ? (x) => left(x) / right(x) : (x) => left(x) ** right(x);
}
