import { isBracketFormula } from "@colloquy/schemas/text/bracket-formula.ts";
import { keepDeepText } from "@colloquy/schemas/text/deep-text.ts";
import createMarkdownIt, { type Env, type MarkdownIt, type StateBlock, type StateInline, type Token } from "markdown-it";
import { blockDelimiters, blockMath } from "../../math-text.ts";
import { type Attributes, readAttributes } from "./attributes.ts";
import type { Dialect } from "./page.ts";

/**
 * Markdown is parsed by markdown-it, but rewritten in the authors' own text: an observer in front of all inline rules
 * notes where each construct begins and ends, so that only what must change is changed.
 */
export type InlineEvent =
  | { kind: "link"; start: number; labelEnd: number; end: number; href: string; title: string }
  | { kind: "span"; start: number; labelEnd: number; end: number; attributes: Attributes }
  | { kind: "note"; start: number; labelEnd: number; end: number }
  | { kind: "image"; start: number; end: number; source: string; label: string; title: string; attributes: Attributes | null }
  | { kind: "math"; start: number; end: number; tex: string; display: boolean }
  | { kind: "html"; start: number; end: number; html: string }
  | { kind: "code" | "autolink" | "escape" | "entity" | "attributes"; start: number; end: number };

interface ScanEnv extends Env {
  events?: InlineEvent[] | null;
  math?: Dialect["math"];
}

const markdown = createObservedMarkdown();

/** Parses a text into markdown-it's tokens; each `inline` token carries its `InlineEvent`s in `meta.events`. */
export function parseMarkdown(text: string, references: Record<string, { href: string; title: string }>, math: Dialect["math"]): Token[] {
  const env: ScanEnv = { references: { ...references }, math };
  return markdown.parse(text, env);
}

/** The link definitions (`[label]: address`) of a text, by their normalised labels. */
export function referencesOf(text: string): Record<string, { href: string; title: string }> {
  const env: ScanEnv = { events: null };
  markdown.parse(text, env);
  return { ...(env.references as Record<string, { href: string; title: string }> | undefined) };
}

/** The constructs in one run of inline Markdown. */
export function scanInline(
  text: string,
  references: Record<string, { href: string; title: string }>,
  math: Dialect["math"],
): InlineEvent[] {
  const env: ScanEnv = { references: { ...references }, math, events: [] };
  markdown.inline.parse(text, markdown, env, []);
  return ordered(env.events ?? []);
}

/** Whether a token is text that stands too deep in lists or quotations to be read as Markdown. */
export const isDeepText = (token: Token): boolean => (token.meta as { deep?: boolean } | null)?.deep === true;

export const eventsOf = (token: Token): InlineEvent[] => (token.meta as { events?: InlineEvent[] } | null)?.events ?? [];

const ordered = (events: InlineEvent[]): InlineEvent[] => events.sort((a, b) => a.start - b.start || b.end - a.end);

function createObservedMarkdown(): MarkdownIt {
  const md = createMarkdownIt({ html: true });
  keepDeepText(md);
  // Which addresses may be links is judged when links are resolved, where it can be reported.
  md.validateLink = () => true;
  md.block.ruler.before("fence", "math_block", blockMath(blockPairs), { alt: ["paragraph", "reference", "blockquote", "list"] });
  md.inline.ruler.before("text", "observe", observe);
  md.core.ruler.at("inline", (state) => {
    for (const token of state.tokens) {
      if (token.type !== "inline") continue;
      const env = state.env as ScanEnv;
      env.events = [];
      md.inline.parse(token.content, md, env, token.children ?? []);
      token.meta = { ...(token.meta as object | null), events: ordered(env.events) };
    }
  });
  return md;
}

function blockPairs({ env }: StateBlock): typeof blockDelimiters {
  const { math } = env as ScanEnv;
  return blockDelimiters.filter(({ open }) => math === "dollars-or-brackets" || (math === "dollars" && open === "$$"));
}

function observe(state: StateInline, silent: boolean): boolean {
  const env = state.env as ScanEnv;
  const events = env.events;
  if (silent || !events) return false;
  const start = state.pos;
  const letter = state.src[start];
  if (letter === "\\" || letter === "$") {
    const math = readMath(state.src, start, state.posMax, env.math ?? "none");
    if (math) {
      events.push({ kind: "math", start, ...math });
      state.pending += state.src.slice(start, math.end);
      state.pos = math.end;
      return true;
    }
  }
  if (letter === "^" && state.src[start + 1] === "[" && labelled(state, start + 1, "note")) return true;
  const before = state.tokens.length;
  const labelEnd = letter === "[" ? md(state).helpers.parseLinkLabel(state, start, true) : -1;
  if (letter === "!") env.events = [];
  const done = otherRules(state).some((rule) => rule(state, false));
  env.events = events;
  if (!done) return letter === "[" && labelled(state, start, "span");
  const end = state.pos;
  const first = state.tokens[before]?.type === "text" ? state.tokens[before + 1] : state.tokens[before];
  const last = state.tokens.at(-1);
  switch (last?.type) {
    case "image": {
      if (letter !== "!") break;
      const attributes = readAttributes(state.src, end);
      if (attributes && attributes.end <= state.posMax) state.pos = attributes.end;
      events.push({
        kind: "image",
        start,
        end: state.pos,
        source: String(last.attrGet("src") ?? ""),
        label: last.content,
        title: String(last.attrGet("title") ?? ""),
        attributes: attributes?.attributes ?? null,
      });
      return true;
    }
    case "link_close": {
      if (letter === "<") events.push({ kind: "autolink", start, end });
      else if (letter === "[" && first?.type === "link_open") {
        skipAttributes(state);
        const title = String(first.attrGet("title") ?? "");
        events.push({ kind: "link", start, labelEnd, end: state.pos, href: String(first.attrGet("href") ?? ""), title });
      }
      break;
    }
    case "code_inline":
      if (letter !== "`") break;
      events.push({ kind: "code", start, end });
      if (skipAttributes(state)) events.push({ kind: "attributes", start: end, end: state.pos });
      break;
    case "html_inline":
      if (letter === "<") events.push({ kind: "html", start, end, html: last.content });
      break;
    case "text_special":
      if (letter === "\\") events.push({ kind: "escape", start, end });
      else if (letter === "&") events.push({ kind: "entity", start, end });
      break;
  }
  return true;
}

const md = (state: StateInline): MarkdownIt => state.md;

const otherRules = (state: StateInline) => state.md.inline.ruler.getRules("").filter((rule) => rule !== observe);

function skipAttributes(state: StateInline): boolean {
  const attributes = readAttributes(state.src, state.pos);
  if (!attributes || attributes.end > state.posMax) return false;
  state.pos = attributes.end;
  return true;
}

/** `[text]{#id}` and `^[a note]`: a label in brackets that is no link. */
function labelled(state: StateInline, bracket: number, kind: "span" | "note"): boolean {
  const start = state.pos;
  const labelEnd = state.md.helpers.parseLinkLabel(state, bracket, false);
  if (labelEnd < 0) return false;
  const read = kind === "span" ? readAttributes(state.src, labelEnd + 1) : { attributes: { classes: [], values: {} }, end: labelEnd + 1 };
  if (!read || read.end > state.posMax) return false;
  const { posMax } = state;
  state.pos = bracket + 1;
  state.posMax = labelEnd;
  state.md.inline.tokenize(state);
  state.pos = read.end;
  state.posMax = posMax;
  const events = (state.env as ScanEnv).events;
  if (kind === "note") events?.push({ kind, start, labelEnd, end: read.end });
  else events?.push({ kind, start, labelEnd, end: read.end, attributes: read.attributes });
  return true;
}

/** Mathematics at `start`, by Pandoc's rule for single dollars or in MathJax's brackets with a doubled backslash. */
function readMath(
  text: string,
  start: number,
  limit: number,
  mode: Dialect["math"],
): { end: number; tex: string; display: boolean } | null {
  if (mode === "none") return null;
  const between = (open: string, close: string, display: boolean) => {
    if (!text.startsWith(open, start)) return null;
    const from = start + open.length;
    const found = text.indexOf(close, from);
    if (found < 0 || found + close.length > limit || !text.slice(from, found).trim()) return null;
    return { end: found + close.length, tex: text.slice(from, found).trim(), display };
  };
  if (text[start] === "\\") {
    if (mode === "backslashes") return between("\\\\(", "\\\\)", false) ?? between("\\\\[", "\\\\]", true);
    return mode === "dollars-or-brackets" ? bracketFormula(text, start, limit) : null;
  }
  const display = between("$$", "$$", true);
  if (display || mode === "backslashes") return display;
  const within = text.slice(start, Math.min(limit, start + longestInline));
  const [whole = "", tex = ""] = /^\$(?![\s$])((?:[^$\\`]|\\[\s\S])+?)\$(?!\d)/.exec(within) ?? [];
  // Jupyter takes a space before the end; elsewhere that is a second price.
  const isFormula = whole !== "" && (!/(?<!\\)\s$/.test(tex) || isBracketFormula(tex, "("));
  return isFormula ? { end: start + whole.length, tex: tex.trim(), display: false } : null;
}

/** Longest formula inside a line; beyond that it is not meant as mathematics. */
const longestInline = 2_000;

/** `\(…\)` or `\[…\]` when what they hold reads as a formula; otherwise they are escaped brackets. */
function bracketFormula(text: string, start: number, limit: number): { end: number; tex: string; display: boolean } | null {
  const open = text[start + 1];
  if (open !== "(" && open !== "[") return null;
  const close = /^(?:[^\\]|\\[^)\]])*?\\[)\]]/.exec(text.slice(start + 2, Math.min(limit, start + longestInline)))?.[0];
  if (!close || close.at(-1) !== (open === "(" ? ")" : "]")) return null;
  const tex = close.slice(0, -2).trim();
  return isBracketFormula(tex, open) ? { end: start + 2 + close.length, tex, display: open === "[" } : null;
}
