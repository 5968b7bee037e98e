import { type Expression, readExpression } from "@colloquy/schemas/explainers/expression.ts";

const greek: Readonly<Record<string, string>> = { lambda: "λ", mu: "μ", theta: "θ", alpha: "α", beta: "β", sigma: "σ", tau: "τ", phi: "φ" };
const signs: Readonly<Record<string, string>> = { "−": "-", "–": "-", "·": "*", "×": "*", "÷": "/" };
const raised = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const functions = "sin|cos|tan|exp|ln|log|sqrt|abs";

/** A label whose formulas are written as expressions, simple TeX among them. */
const plain = (label: string): string =>
  label
    .replace(/[−–·×÷]/g, (sign) => signs[sign] ?? sign)
    .replace(/[⁰¹²³⁴-⁹]+/g, (digits) => `^${[...digits].map((digit) => raised.indexOf(digit)).join("")}`)
    .replace(/\\(?:left|right|displaystyle)(?![a-z])|\\[,;:! ]|\\q?quad(?![a-z])|\$|\\[()[\]]/g, " ")
    .replace(/\\(?:text|mathrm|operatorname)\{([^{}]*)\}/g, " $1 ")
    .replace(/\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}/g, "(($1)/($2))")
    .replace(/(\^|\\sqrt\s*)\{([^{}]*)\}/g, "$1($2)")
    .replace(/\\(?:cdot|times)(?![a-z])/g, "*")
    .replace(/\\([A-Za-z]+)/g, (whole, name: string) => greek[name] ?? (new RegExp(`^(?:${functions}|pi)$`).test(name) ? name : whole))
    .replace(/√\s*(\p{L}|\d+|\([^()]*\))/gu, "sqrt($1)")
    .replace(/\|([^|]*)\|/g, "abs($1)")
    .replace(new RegExp(`\\b(${functions})\\s+(\\p{L})(?!\\p{L})`, "gu"), "$1($2)");

const word = new RegExp(`(?!(?:${functions})\\(|pi(?!\\p{L}))(?<!\\p{L})\\p{L}[\\p{L}\\p{M}'’]+`, "gu");
/** The name of a function: `f(x)`. */
const head = /(?<!\p{L})\p{L}\s*\(\s*\p{L}\s*\)(?=\s*$)/gu;
const isFormula = (piece: string): boolean =>
  /\\/.test(piece) ||
  (/\p{L}/u.test(piece) &&
    !/^\p{L}\s*\/\s*\p{L}$/u.test(piece) &&
    /[+*/^]|[\p{L}\d)]\s*-|^-\s*\d*\s*[\p{L}(]|\d\s*\p{L}|\)\s*\(|\p{L}{2,}\(/u.test(piece));

/** What stands in a label between its words, relations and commas. */
const piecesIn = (label: string): string[] =>
  plain(label)
    .split(/[=≈≠<>≤≥→,;:]|\.(?!\d)/)
    .flatMap((side) => side.replace(word, "\u0000").split("\u0000"))
    .map((piece) => piece.replace(head, "").replace(/^[\s+*/^]+|[-\s+*/^]+$/g, ""));

/**
 * The formulas of a curve's label as functions of their only letter; null for one that cannot be read. Words are none, nor is a number that
 * a letter is given. Pure.
 * @param given numbers of other letters
 */
export const labelFormulas = (label: string, given: ReadonlyMap<string, number>): (Expression | null)[] =>
  piecesIn(label)
    .filter(isFormula)
    .map((formula) => readFormula(formula, given));

function readFormula(formula: string, given: ReadonlyMap<string, number>): Expression | null {
  const free = new Set<string>();
  const ofX = formula.replace(/(?<!\p{L})\p{L}(?!\p{L})/gu, (letter) => {
    const value = given.get(letter);
    if (value !== undefined) return `(${value})`;
    if (letter === "e") return letter;
    free.add(letter);
    return "x";
  });
  return free.size <= 1 ? readExpression(ofX) : null;
}

/** A number that the label of a mark says: its values (a percentage has two), and how far from them it may have been rounded. */
interface SaidNumber {
  values: readonly number[];
  within: number;
}

/** The numbers that the label of a mark says, and of its formulas the values at the mark. Pure. */
export function saidNumbers(label: string, x: number, given: ReadonlyMap<string, number>): SaidNumber[] {
  // Only between brackets a comma parts two numbers.
  const pointed = label.includes("(") ? label : label.replace(/(\d),(?=\d)/g, "$1.");
  return piecesIn(pointed.replaceAll("π", "pi")).flatMap((piece): SaidNumber[] => {
    const value = /[+*/^]|pi/.test(piece) || isFormula(piece) ? readFormula(piece, given)?.(x) : undefined;
    if (value !== undefined) return [{ values: [value], within: 0 }];
    return [...piece.matchAll(/(?:(?<![\d)]\s*)-)?(\d+(?:\.(\d+))?)(\s*%)?/g)].map(([text, , decimals = "", percent]) => {
      const said = Number.parseFloat(text);
      return { values: percent ? [said, said / 100] : [said], within: decimals === "" ? 0 : 0.5 * 10 ** -decimals.length };
    });
  });
}
