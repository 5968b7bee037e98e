/*
 * `\[` and `\(` open a formula in TeX, and are escaped brackets in Markdown (`ls \[path\]`). What stands between them decides: by one rule
 * for the screen, for the text that is searched, and for imported pages.
 */

/** A command, a script, a brace, a relation or an operator of mathematics; a single letter is one, too. */
const texLike = /\\[a-zA-Z,;!{}|]|\^|[{}=]|(?<!\p{L}{2})_|\S ?[+*<>] ?\S|^\p{L}$/u;
/** An option of a command, `--color=when`. */
const option = /^--?\p{L}{2}/u;

/** Whether text between `\[` and `\]` within a line is meant as a formula. Another opener means that the first was none. */
export function isBracketFormula(content: string): boolean {
  const text = content.trim();
  return texLike.test(text) && !option.test(text) && !/(?<!\\)(?:\\\\)*\\\[/.test(content);
}

/** The same for a block: brackets on lines of their own are mathematics; text beside them has to look like it, within one paragraph. */
export const isBracketBlock = (content: string): boolean =>
  (content.startsWith("\n") && content.endsWith("\n")) ||
  ((isBracketFormula(content) || content.includes("\\\\")) && !/\n[ \t]*\n/.test(content));
