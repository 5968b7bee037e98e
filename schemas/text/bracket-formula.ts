/*
 * `\[` and `\(` open a formula in TeX, and are escaped brackets in Markdown (`ls \[path\]`). What stands between them decides: by one rule
 * for the screen, for the text that is searched, and for imported pages.
 */

/** A command, a script, a brace, a relation or an operator of mathematics; a single letter is one, too. */
const texLike = /\\[a-zA-Z,;!{}|]|\^|[{}=]|(?<!\p{L}{2})_|\S ?[+*<>] ?\S|^\p{L}$/u;
/** What only TeX has: a command, a script, a brace. */
const texOnly = /\\[a-zA-Z,;!{}|]|\^|[{}]|(?<!\p{L}{2})_/u;
/** Two words side by side, one of them longer than a product of symbols: prose, whatever signs stand in it. Names of functions are no words. */
const prose =
  /(?<![\p{L}\p{N}])(?:(?!(?:sin|cos|tan|log|exp|lim|max|min|det|gcd|mod|dim|ker)\b)\p{L}{3,}\s+[\p{L}\p{N}]|[\p{L}\p{N}]+\s+(?!(?:sin|cos|tan|log|exp|lim|max|min|det|gcd|mod|dim|ker)\b)\p{L}{3,})/u;
/** An option of a command, `--color=when`. */
const option = /^--?\p{L}{2}/u;

/** Whether text between `\[` and `\]` within a line is meant as a formula. Another opener means that the first was none. */
export function isBracketFormula(content: string): boolean {
  const text = content.trim();
  return texLike.test(text) && (texOnly.test(text) || !prose.test(text)) && !option.test(text) && !/(?<!\\)(?:\\\\)*\\\[/.test(content);
}

/** The same for a block: brackets on lines of their own are mathematics; text beside them has to look like it, within one paragraph. */
export const isBracketBlock = (content: string): boolean =>
  (content.startsWith("\n") && content.endsWith("\n")) ||
  ((isBracketFormula(content) || content.includes("\\\\")) && !/\n[ \t]*\n/.test(content));
