import { isBracketBlock, isBracketFormula } from "@colloquy/schemas/text/bracket-formula.ts";
import type { MarkdownIt, StateBlock, StateInline } from "markdown-it";

/*
 * Delimiters of mathematics: `$…$`, `$$…$$`, `\(…\)`, `\[…\]`, inline and as blocks. Own rules rather than @mdit/plugin-tex, because
 * its `\(` and `\[` rules take quadratic time on unclosed openers, and an unclosed `$$` there swallows the rest of the text.
 * While a text still grows (`env.incomplete`), an unclosed block is kept together as its source, so that it never turns into paragraphs first.
 */

const dollar = 0x24;
const backslash = 0x5c;
/** Longest formula inside a line, and most lines of a block; beyond that it is not meant as mathematics. */
const inlineLength = 2_000;
const blockLines = 120;

/** An amount, then the end of a word. */
const amount = /^\d[\d.,]*(?:k|m|bn?|M|K|B)?(?=$|[\s).,;:!?/–—-])/;
const operators = /[\\^_={}+*<>|]/;

/**
 * Whether text between two dollars is two prices with words between them: "5 for one, or 10".
 * It begins with an amount, holds a word, and has no operator of mathematics.
 */
function isMoney(content: string): boolean {
  return amount.test(content) && /\p{L}{2}/u.test(content) && !operators.test(content);
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0x0a;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isWord = (code: number): boolean => isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);

function isEscaped(source: string, at: number): boolean {
  let count = 0;
  while (source.charCodeAt(at - 1 - count) === backslash) count++;
  return count % 2 === 1;
}

/** The next unescaped occurrence of `closer`, or -1 within reach. */
function findCloser(source: string, closer: string, from: number): number {
  const reach = source.slice(from, from + inlineLength);
  for (let at = reach.indexOf(closer); at >= 0; at = reach.indexOf(closer, at + 1)) if (!isEscaped(source, from + at)) return from + at;
  return -1;
}

function push(state: StateInline, content: string, display: boolean, end: number, silent: boolean): true {
  if (!silent) {
    const token = state.push("math", "", 0);
    token.content = content.trim();
    token.meta = { display };
  }
  state.pos = end;
  return true;
}

function dollars(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src.charCodeAt(pos) !== dollar) return false;
  if (src.charCodeAt(pos + 1) === dollar) {
    const close = findCloser(src, "$$", pos + 2);
    const content = close < 0 ? "" : src.slice(pos + 2, close);
    return content.trim() !== "" && !content.includes("`") && push(state, content, true, close + 2, silent);
  }
  if (pos > 0 && isWord(src.charCodeAt(pos - 1))) return false;
  const close = findCloser(src, "$", pos + 1);
  if (close <= pos + 1 || isSpace(src.charCodeAt(pos + 1)) || isSpace(src.charCodeAt(close - 1))) return false;
  if (isDigit(src.charCodeAt(close + 1))) return false;
  const content = src.slice(pos + 1, close);
  return !content.includes("`") && !isMoney(content) && push(state, content, false, close + 1, silent);
}

function brackets(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src.charCodeAt(pos) !== backslash) return false;
  const opener = src[pos + 1];
  if (opener !== "(" && opener !== "[") return false;
  const close = findCloser(src, opener === "(" ? "\\)" : "\\]", pos + 2);
  const content = close < 0 ? "" : src.slice(pos + 2, close);
  return isBracketFormula(content, opener) && push(state, content, opener === "[", close + 2, silent);
}

/** Looks, without side effects, for the line that ends a block opened by `open`. */
function findBlock(
  state: StateBlock,
  start: number,
  end: number,
  open: string,
  close: string,
): { content: string; next: number } | "growing" | null {
  const begin = (state.bMarks[start] ?? 0) + (state.tShift[start] ?? 0);
  if (!state.src.startsWith(open, begin)) return null;
  const textOf = (line: number): string => state.getLines(line, line + 1, state.blkIndent, false).trim();
  const first = textOf(start).slice(open.length);
  if (first.endsWith(close) && first.indexOf(close) === first.length - close.length)
    return first.length > close.length ? { content: first.slice(0, -close.length), next: start + 1 } : null;
  // Text after a closer on the first line makes this a paragraph with mathematics in it.
  if (first.includes(close)) return null;
  const lines = [first];
  for (let line = start + 1; line < end; line++) {
    const text = textOf(line);
    if (line - start > blockLines || (text && (state.sCount[line] ?? 0) < state.blkIndent)) return null;
    if (text.endsWith(close)) {
      const last = text.slice(0, -close.length);
      if (last.includes(close)) return null;
      return { content: [...lines, last].join("\n"), next: line + 1 };
    }
    // Another opener first, or a closer amid a line: this one was never closed. (`\\\\[2pt]` is a line break of TeX, no opener.)
    if (text.startsWith(open) || text.includes(close)) return null;
    lines.push(text);
  }
  // A quote or an item that ended before the text does can get no closer any more.
  return state.env.incomplete && end >= state.bMarks.length - 1 ? "growing" : null;
}

function block(open: string, close: string) {
  return (state: StateBlock, start: number, end: number, silent: boolean): boolean => {
    if ((state.sCount[start] ?? 0) - state.blkIndent >= 4) return false;
    const found = findBlock(state, start, end, open, close);
    if (!found || (open === "\\[" && found !== "growing" && !isBracketBlock(found.content))) return false;
    if (silent) return true;
    const growing = found === "growing";
    const token = state.push("math", "", 0);
    token.block = true;
    token.content = growing ? state.getLines(start, end, state.blkIndent, false).slice(open.length) : found.content.trim();
    token.meta = { display: true, growing };
    state.line = growing ? end : found.next;
    token.map = [start, state.line];
    return true;
  };
}

/** Adds the four delimiters; `renderer.rules.math` receives the formula with `meta.display` (and `meta.growing` while it is unclosed). */
export function mathRules(md: MarkdownIt): void {
  const alt = { alt: ["paragraph", "reference", "blockquote", "list"] };
  // Before tables: an opener ends a table, so it must not begin the next one.
  md.block.ruler.before("table", "math_dollars", block("$$", "$$"), alt);
  md.block.ruler.before("table", "math_brackets", block("\\[", "\\]"), alt);
  md.inline.ruler.before("escape", "math_brackets", brackets);
  md.inline.ruler.after("escape", "math_dollars", dollars);
}
