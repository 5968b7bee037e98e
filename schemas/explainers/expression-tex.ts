import { isFunction } from "./expression.ts";

/** An expression as TeX: its signs as they are, functions upright, exponents raised whole. Pure. */
export const expressionTex = (expression: string): string =>
  enclosed(raised(expression))
    .replace(/\|([^|]*)\|/g, "\\lvert $1 \\rvert ")
    .replace(/(?<![a-z])(sin|cos|tan|sinh|cosh|tanh|exp|ln|log)\b/g, "\\$1 ")
    .replace(/(?<![a-z])(asin|acos|atan|sign|floor|ceil)\b/g, "\\operatorname{$1}")
    .replace(/(?<![a-z])pi\b/g, "\\pi ")
    .replace(/\s*[*·]\s*/g, " \\cdot ")
    .replace(/[−]/g, "-");

/** An expression with its roots and absolute values as TeX, whatever brackets stand in them. */
function enclosed(text: string): string {
  const [whole = "", name] = /(?<![a-z])(abs|sqrt)\(/.exec(text) ?? [];
  const at = text.indexOf(whole);
  const end = bracketEnd(text, at + whole.length - 1);
  if (name === undefined || text[end - 1] !== ")") return text;
  const inner = enclosed(text.slice(at + whole.length, end - 1));
  return `${text.slice(0, at)}${name === "abs" ? `\\lvert ${inner} \\rvert ` : `\\sqrt{${inner}}`}${enclosed(text.slice(end))}`;
}

/** An expression with its exponents in braces, without brackets that hold all of one. */
function raised(text: string): string {
  const at = text.indexOf("^") + 1;
  if (at === 0) return text;
  const end = exponentEnd(text, at);
  const exponent = text.slice(at, end).trim();
  const inner = exponent.startsWith("(") && bracketEnd(exponent, 0) === exponent.length ? exponent.slice(1, -1) : exponent;
  return `${text.slice(0, at)}{${raised(inner)}}${raised(text.slice(end))}`;
}

/** Where an exponent ends, as expressions are read: signs, then a number, a letter or brackets, and powers of that. */
function exponentEnd(text: string, from: number): number {
  const [start = "", name = ""] = /^(?:\s|[-+−])*(\d+(?:\.\d+)?|\.\d+|[a-z]+)?/i.exec(text.slice(from)) ?? [];
  const after = from + start.length;
  const end = text[after] === "(" && (name === "" || isFunction(name)) ? bracketEnd(text, after) : after;
  const power = /^\s*\^/.exec(text.slice(end))?.[0];
  return power === undefined ? end : exponentEnd(text, end + power.length);
}

/** Where brackets end that open at a place. */
function bracketEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "(") depth += 1;
    if (text[at] === ")") depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}
