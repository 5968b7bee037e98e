import MarkdownIt, { type MarkdownIt as Parser, type StateInline, type Token } from "markdown-it";
import { mathElement } from "./code-block.ts";
import { escapeHtml } from "./escape.ts";
import { mathRules } from "./math-delimiters.ts";

/**
 * Lines that are plain text but for their formulas: summaries and objectives. What means mathematics in a course's text means it here;
 * every other sign stands for itself.
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
  /** `wait`: formulas stand as their source until `upgrade()` sets them. */
  leaves?: "wait";
}

/** Most lines have none, and are not parsed. */
const mayHold = (text: string): boolean => /\$|\\[([]/.test(text);

/** The formulas of a line, in TeX. */
export function formulasInLine(text: string): string[] {
  const tokens: Token[] = mayHold(text) ? parser.parseInline(text, {}).flatMap(({ children }) => children ?? []) : [];
  return tokens.filter(({ type }) => type === "math").map(({ content }) => content);
}

/** A line as safe HTML, with its formulas set. */
export function lineWithFormulas(text: string, options: LineOptions = {}): string {
  return mayHold(text) ? parser.renderInline(text, { ...options }) : escapeHtml(text);
}
