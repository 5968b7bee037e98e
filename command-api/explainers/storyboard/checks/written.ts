const names: Readonly<Record<string, string>> = {
  le: "<=",
  leq: "<=",
  lt: "<",
  ge: ">=",
  geq: ">=",
  gt: ">",
  cdot: "*",
  times: "*",
  lvert: "|",
  rvert: "|",
  vert: "|",
};
const signs: Readonly<Record<string, string>> = { "≤": "<=", "≥": ">=", "−": "-", "·": "*", "×": "*", "²": "^2", "³": "^3" };

const functions = /^(?:sin|cos|tan|exp|ln|log|sqrt)$/;

/** Text whose formulas are written as expressions: `\frac{1}{n}` as `(1)/(n)`, `\lvert x\rvert \le 3` as `|x|<=3`. */
function plain(text: string): string {
  let written = text
    .replace(/\\(?:left|right|displaystyle)(?![a-z])|\\[,;:! ]|\\q?quad(?![a-z])|[$`]/g, "")
    .replace(/[≤≥−·×²³]/g, (sign) => signs[sign] ?? sign)
    .replace(/\\[dt]?frac\s*(\d)\s*(\w)/g, "($1)/($2)");
  for (let before = ""; before !== written; ) {
    before = written;
    written = written.replace(/\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}/g, "($1)/($2)").replace(/(\^|\\sqrt\s*)\{([^{}]*)\}/g, "$1($2)");
  }
  return written
    .replace(/\\([A-Za-z]+)/g, (whole, name: string) => names[name] ?? (functions.test(name) || name === "pi" ? name : whole))
    .replace(/[{}]/g, " ")
    .replace(/\babs\(([^()]*)\)/g, "|$1|");
}

interface Token {
  text: string;
  /** White space stands before it. */
  apart: boolean;
}
const token = /\d+(?:\.\d+)?|[A-Za-z]+|<=|>=|\S/g;
const isAtom = ({ text }: Token): boolean => /^\w/.test(text);

/** The place of the bracket that closes another; -1 where none does. */
function closing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  return tokens.findIndex(({ text }, at) => {
    if (at >= open) depth += text === "(" ? 1 : text === ")" ? -1 : 0;
    return at > open && depth === 0;
  });
}

/** Whether brackets change nothing: about one number or letter, or about a product that is divided. */
function isIdle(tokens: readonly Token[], open: number, close: number): boolean {
  const before = tokens[open - 1];
  const inside = tokens.slice(open + 1, close);
  if (before && functions.test(before.text)) return false;
  if (inside.length === 1) return inside.some(isAtom);
  const isFirst = !before || !(/^[)^/]$/.test(before.text) || (isAtom(before) && !tokens[open]?.apart));
  let depth = 0;
  const isProduct = inside.every(({ text }) => {
    depth += text === "(" ? 1 : text === ")" ? -1 : 0;
    return depth > 0 || !/^[-+<>=]/.test(text);
  });
  return isFirst && isProduct && tokens[close + 1]?.text === "/";
}

/** The signs of a text without brackets and dots that change nothing. */
function tokensOf(text: string): Token[] {
  const written = plain(text);
  let tokens = [...written.matchAll(token)].map((found): Token => ({ text: found[0], apart: /\s/.test(written[found.index - 1] ?? " ") }));
  for (let at = tokens.length - 1; at >= 0; at -= 1) {
    const close = tokens[at]?.text === "(" ? closing(tokens, at) : -1;
    if (close < 0 || !isIdle(tokens, at, close)) continue;
    const { apart = false } = tokens[at] ?? {};
    tokens = tokens.filter((_, place) => place !== at && place !== close);
    const next = tokens[at];
    if (next) tokens[at] = { ...next, apart };
  }
  const isDot = (at: number): boolean =>
    tokens[at]?.text === "*" && /^\d/.test(tokens[at - 1]?.text ?? "") && /^[A-Za-z]$/.test(tokens[at + 1]?.text ?? "");
  return tokens.filter((_, at) => !isDot(at));
}

/**
 * Whether an expression, or an inequality, stands in one of some texts, as TeX or as plain signs; not as a part of a larger one. Pure.
 */
export function isWritten(expression: string, texts: readonly string[]): boolean {
  const sought = tokensOf(expression);
  const isRelation = sought.some(({ text }) => /[<>]/.test(text));
  const goesOn = isRelation ? /^[-+*/^|<>=]/ : /^[-+*/^]/;
  const ends = (before: Token | undefined, first: Token | undefined): boolean =>
    !before || !(goesOn.test(before.text) || before.text === ")" || /^\d/.test(before.text) || (isAtom(before) && !first?.apart));
  const begins = (after: Token | undefined): boolean =>
    !after || !(goesOn.test(after.text) || after.text === "(" || (isAtom(after) && !after.apart));
  return texts
    .map(tokensOf)
    .some((tokens) =>
      tokens.some(
        (_, at) =>
          sought.every(({ text }, index) => tokens[at + index]?.text === text) &&
          ends(tokens[at - 1], tokens[at]) &&
          begins(tokens[at + sought.length]),
      ),
    );
}
