import { isBracketBlock, isBracketFormula } from "@colloquy/schemas/text/bracket-formula.ts";
import type { MarkdownIt, StateBlock, StateInline } from "markdown-it";

/** Longest formula inside a line, and most lines of a displayed one; beyond that it is not meant as mathematics. */
const inlineLength = 2_000;
const blockLines = 120;

const delimiters = [
  { open: "$$", close: "$$" },
  { open: "\\[", close: "\\]" },
  { open: "\\(", close: "\\)" },
  { open: "$", close: "$" },
] as const;

function isEscaped(source: string, at: number): boolean {
  let count = 0;
  while (source[at - 1 - count] === "\\") count += 1;
  return count % 2 === 1;
}

function closerAt(source: string, close: string, from: number): number {
  const reach = source.slice(from, from + inlineLength);
  for (let at = reach.indexOf(close); at >= 0; at = reach.indexOf(close, at + 1)) if (!isEscaped(source, from + at)) return from + at;
  return -1;
}

/** Whether text between single dollars reads as a formula and not as two prices. */
function isFormula(source: string, from: number, close: number): boolean {
  const content = source.slice(from, close);
  if (content === "" || /^\s|\s$/.test(content) || content.includes("`")) return false;
  if (/[A-Za-z0-9]/.test(source[from - 2] ?? "") || /\d/.test(source[close + 1] ?? "")) return false;
  return !(/^\d[\d.,]*/.test(content) && /\p{L}{2}/u.test(content) && !/[\\^_={}+*<>|]/.test(content));
}

function inlineMath(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src[pos] !== "$" && src[pos] !== "\\") return false;
  for (const { open, close } of delimiters) {
    if (!src.startsWith(open, pos)) continue;
    const from = pos + open.length;
    const end = closerAt(src, close, from);
    const content = end < 0 ? "" : src.slice(from, end);
    if (content.trim() === "" || (open === "$" && !isFormula(src, from, end))) return false;
    if ((open === "\\[" || open === "\\(") && !isBracketFormula(content, open === "\\(" ? "(" : "[")) return false;
    if (!silent) state.push("text", "", 0).content = src.slice(pos, end + close.length).replaceAll(/\s+/g, " ");
    state.pos = end + close.length;
    return true;
  }
  return false;
}

/** The delimiters of formulas on lines of their own. */
export const blockDelimiters = delimiters.slice(0, 2);

/**
 * A displayed formula on lines of its own, which Markdown would otherwise take for lists, headings or emphasis: a token `math_block`
 * with its delimiters. `pairsOf` says which of them a text has.
 */
export function blockMath(pairsOf: (state: StateBlock) => typeof blockDelimiters) {
  return (state: StateBlock, start: number, end: number, silent: boolean): boolean => {
    const textOf = (line: number): string => state.getLines(line, line + 1, state.blkIndent, false).trim();
    const first = textOf(start);
    const pair = pairsOf(state).find(({ open }) => first.startsWith(open));
    if (!pair || (state.sCount[start] ?? 0) - state.blkIndent >= 4) return false;
    const rest = first.slice(pair.open.length);
    const lines = [rest];
    let line = start;
    while (!lines.at(-1)?.endsWith(pair.close)) {
      if (lines.at(-1)?.includes(pair.close)) return false;
      line += 1;
      if (line >= end || line - start > blockLines) return false;
      lines.push(textOf(line));
    }
    if (line === start && rest.length <= pair.close.length) return false;
    if (pair.open === "\\[" && !isBracketBlock(lines.join("\n").slice(0, -pair.close.length))) return false;
    if (silent) return true;
    const token = state.push("math_block", "", 0);
    token.block = true;
    token.content = state.getLines(start, line + 1, state.blkIndent, false).trim();
    token.map = [start, line + 1];
    state.line = line + 1;
    return true;
  };
}

/** Keeps formulas as the TeX they are written in: `$…$`, `$$…$$`, `\(…\)`, `\[…\]`. */
export function mathAsText(md: MarkdownIt): void {
  md.block.ruler.before(
    "fence",
    "math_block",
    blockMath(() => blockDelimiters),
    { alt: ["paragraph", "reference", "blockquote", "list"] },
  );
  md.inline.ruler.before("escape", "math_inline", inlineMath);
}
