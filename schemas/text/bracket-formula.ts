/*
 * `\[` and `\(` open a formula in TeX, and are escaped brackets in Markdown (`ls \[path\]`). What stands between them decides: by one rule
 * for the screen, for the text that is searched, and for imported pages.
 */

/** A command, a script on a base, a relation or an operator of mathematics. */
const texLike = /\\[a-zA-Z,;!{}|]|[^\s\\]\^|=|(?<=\S)(?<!\p{L}{2}|\\)_(?=[^\s_])|\S ?[+*<>] ?\S/u;
/** What only TeX has: a command, a script. */
const texOnly = /\\[a-zA-Z,;!{}|]|[^\s\\]\^|(?<=\S)(?<!\p{L}{2}|\\)_(?=[^\s_])/u;
/** Two words side by side, one of them longer than a product of symbols: prose, whatever signs stand in it. */
const prose = /(?<![\p{L}\p{N}])(?:\p{L}{3,}\s+[\p{L}\p{N}]|[\p{L}\p{N}]+\s+\p{L}{3,})/u;
/** An abbreviation, or a word of two letters alone, where a pair of symbols (`dx`) would be a formula. */
const shortProse = /(?<!\p{L})\p{L}\.\p{L}\.|^(?:a[mnst]|b[ey]|do|go|he|i[fnst]|me|my|no|o[fnr]|so|to|u[ps]|we)$/iu;
/** An option of a command, `--color=when`, or a setting, `key=value`. */
const option = /^--?\p{L}{2}|\p{Ll}{3}=\S|\S=\p{Ll}{4}/u;
/** Symbols, with at most two letters side by side, and such a pair alone: `x`, `2n`, `f(x)`, `dx`; no abbreviation. */
const symbols = /^(?!.*(?:\p{L}{3}|\p{L}{2}\s+\p{L}|\p{L}\s+\p{L}{2}|\p{L}\.))(?=.*[\p{Script=Latin}\p{Script=Greek}])/su;
/** A number alone, such as `5` or `-1.5`: nobody escapes round brackets around one. */
const number = /^[-−+]?\d+(?:[.,]\d+)?%?$/;
/** Markdown that no formula holds: code, a link; and the way through a menu, `File > Save`. */
const markup = /`[^`\n]+`|\[[^[\]\n]*\]\([^()\s]+\)|^\p{Lu}\p{L}{2,}(?:\s*>\s*\p{L}{3,})+$/u;
/** A command of TeX. */
const command = /\\[a-zA-Z]/;
/** A function's name counts as a symbol. */
const functionName = /(?<!\p{L})(?:sin|cos|tan|log|exp|lim|max|min|det|gcd|mod|dim|ker)(?!\p{L})/gu;
/** A place for a word: `{name}`, `<name>`. */
const placeholder = /(?<![\\^_}\p{L}])\{([\p{L}\p{N}_-]*)\}|<(\p{L}[\p{L}\p{N}_-]+)>/gu;

/**
 * Whether text within a line, between `\(` and `\)` or `\[` and `\]`, is meant as a formula. Another opener means that the first was none.
 * A symbol alone is one in round brackets only: square ones around it are a ticked box, or an index.
 */
export function isBracketFormula(content: string, bracket: "(" | "["): boolean {
  const opener = bracket === "(" ? /(?<!\\)(?:\\\\)*\\\(/ : /(?<!\\)(?:\\\\)*\\\[/;
  if (opener.test(content)) return false;
  const text = content.trim().replaceAll(placeholder, "$1$2").replaceAll(functionName, "f");
  if (markup.test(text) && !command.test(text)) return false;
  if (texOnly.test(text)) return true;
  return (
    !prose.test(text) &&
    !shortProse.test(text) &&
    !option.test(text) &&
    (texLike.test(text) || (bracket === "(" && (symbols.test(text) || number.test(text))))
  );
}

/** The same for a block: brackets on lines of their own are mathematics; text beside them has to look like it, within one paragraph. */
export const isBracketBlock = (content: string): boolean =>
  (content.startsWith("\n") && content.endsWith("\n")) ||
  ((isBracketFormula(content, "[") || content.includes("\\\\")) && !/\n[ \t]*\n/.test(content));
