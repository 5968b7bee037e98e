import MarkdownIt, { type MarkdownIt as Parser, type StateInline, type Token } from "markdown-it";
import { mathElement } from "./code-block.ts";
import { escapeHtml } from "./escape.ts";
import { mathRules } from "./math-delimiters.ts";

/**
 * Renders lines of plain text with formulas, such as summaries and objectives. Delimiters of mathematics work as in course text; everything
 * else is literal.
 */

const parser: Parser = new MarkdownIt("zero").use(mathRules);
parser.inline.ruler.before("math_brackets", "plain_dollar", (state: StateInline, silent: boolean): boolean => {
  if (!state.src.startsWith("\\$", state.pos)) return false;
  if (!silent) state.pending += "$";
  state.pos += 2;
  return true;
});
parser.renderer.rules.math = (tokens, index, _options, env) =>
  mathElement(tokens[index]?.content ?? "", false, false, (env as LineOptions).leaves === "wait");

interface LineOptions {
  /** `wait`: formulas stay source until `upgrade()` typesets them. */
  leaves?: "wait";
}

/** Most lines have none, and are not parsed. */
const mayContainFormula = (text: string): boolean => /\$|\\[([]/.test(text);

/** The formulas of a line, in TeX. */
export function formulasInLine(text: string): string[] {
  const tokens: Token[] = mayContainFormula(text) ? parser.parseInline(text, {}).flatMap(({ children }) => children ?? []) : [];
  return tokens.filter(({ type }) => type === "math").map(({ content }) => content);
}

/** A line as safe HTML with typeset formulas. */
export function lineWithFormulas(text: string, options: LineOptions = {}): string {
  return mayContainFormula(text) ? parser.renderInline(text, { ...options }) : escapeHtml(text);
}
