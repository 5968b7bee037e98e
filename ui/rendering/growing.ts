import type { Token } from "markdown-it";
import { codeBlock } from "./code-block.ts";
import type { Definitions } from "./definitions.ts";
import { escapeHtml } from "./escape.ts";
import { languageName } from "./languages.ts";
import { type MarkdownOptions, parserFor } from "./markdown.ts";
import { firstLine } from "./source-lines.ts";

/**
 * The second level of a growing text: inside a list, a table or a fence only the last items, the last row or the last line can still
 * change. What is before them is settled; parsing goes on from there, behind the few lines that say what it stands in (`context`).
 */
export type GrowingBlock =
  | { kind: "whole"; html: string }
  | { kind: "list" | "table"; head: string; settled: readonly string[]; live: readonly string[]; foot: string }
  /** Plain code: text that is not escaped yet. */
  | { kind: "code"; head: string; settled: string; live: string; foot: string };

/** The HTML of a block with all its parts. */
export function blockHtml(block: GrowingBlock): string {
  if (block.kind === "whole") return block.html;
  const parts = block.kind === "code" ? escapeHtml(block.settled + block.live) : block.settled.join("") + block.live.join("");
  return block.head + parts + block.foot;
}

/** What is settled inside the block at the end of the text. */
export interface Growing {
  readonly block: Exclude<GrowingBlock, { kind: "whole" }>;
  readonly markup: string;
  /** A list with blank lines between its items. */
  readonly loose: boolean;
  /** The text from the block's beginning to where parsing goes on. */
  readonly source: string;
  readonly context: string;
  readonly definitions: Definitions;
  readonly asked: ReadonlySet<string>;
}

/** A block as it stands, and how much of it is settled: `line` is where parsing may go on, `context` what has to stand before that. */
export interface Reading {
  block: GrowingBlock;
  next: { markup: string; loose: boolean; line: number; context: readonly [from: number, to: number] } | null;
}

/** A list's next item may still change how the one before it ends. */
const liveItems = 2;
/** The parser fills up short rows of a table only up to a bound that it counts from the header. */
const mostCells = 50_000;

/**
 * Reads one block on the top level; with `before`, one that goes on from there. Null when it does not go on as it began, so that the block
 * has to be read from its beginning.
 */
export function readBlock(tokens: Token[], source: string, options: MarkdownOptions, before: Growing | null): Reading | null {
  const open = tokens[0];
  if (before && firstLine(tokens) !== 0) return null;
  if (open?.type === "bullet_list_open" || open?.type === "ordered_list_open") return readList(tokens, source, options, before);
  if (open?.type === "table_open") return readTable(tokens, options, before);
  if (open?.type === "fence") return readFence(open, options, before);
  return before ? null : whole(tokens, options);
}

const whole = (tokens: Token[], options: MarkdownOptions): Reading => ({
  block: { kind: "whole", html: html(tokens, options) },
  next: null,
});

function html(tokens: Token[], options: MarkdownOptions): string {
  const md = parserFor(options);
  return md.renderer.render(tokens, md.options, { ...options });
}

/** The runs of tokens from each `type` on this level to its end. */
function runs(tokens: readonly Token[], type: string, level: number): Token[][] {
  const found: Token[][] = [];
  let from = -1;
  for (const [index, token] of tokens.entries()) {
    if (token.level !== level || (token.type !== `${type}_open` && token.type !== `${type}_close`)) continue;
    if (token.nesting === 1) from = index;
    else found.push(tokens.slice(from, index + 1));
  }
  return found;
}

function readList(tokens: Token[], source: string, options: MarkdownOptions, before: Growing | null): Reading | null {
  const open = tokens[0] as Token;
  const close = tokens.at(-1) as Token;
  const head = html([open], options);
  const items = runs(tokens, "list_item", open.level + 1);
  const line = (item: Token[] | undefined): number => item?.[0]?.map?.[0] ?? -1;
  const paragraphs = tokens.filter(({ type, level }) => level === open.level + 2 && /^paragraph_/.test(type));
  const found = paragraphs[0] ? !paragraphs[0].hidden : /\n[ \t]*\n/.test(source) ? null : false;
  if (before) {
    const goesOn = before.block.kind === "list" && before.markup === open.markup && sameKind(before.block.head, open);
    const contextLines = before.context.split("\n").length - 1;
    if (!goesOn || line(items[1]) !== contextLines || (found !== before.loose && !before.loose)) return null;
    if (/class="tasks"/.test(head) && !/class="tasks"/.test(before.block.head)) return null;
    for (const paragraph of paragraphs) if (before.loose) paragraph.hidden = false;
  } else if (found === null || items.length <= liveItems) return whole(tokens, options);
  const fresh = before ? items.slice(1) : items;
  const loose = before ? before.loose : found === true;
  const done = Math.max(0, fresh.length - liveItems);
  const earlier = before?.block.kind === "list" ? before.block : null;
  const rendered = fresh.map((item) => html(item, options));
  return {
    block: {
      kind: "list",
      head: earlier?.head ?? head,
      settled: [...(earlier?.settled ?? []), ...rendered.slice(0, done)],
      live: rendered.slice(done),
      foot: earlier?.foot ?? html([close], options),
    },
    next: done > 0 ? { markup: open.markup, loose, line: line(fresh[done]), context: [line(fresh[done - 1]), line(fresh[done])] } : null,
  };
}

const sameKind = (head: string, open: Token): boolean => head.startsWith(`<${open.tag}`);

function readTable(tokens: Token[], options: MarkdownOptions, before: Growing | null): Reading | null {
  const open = tokens[0] as Token;
  const body = tokens.findIndex(({ type }) => type === "tbody_open");
  const earlier = before?.block.kind === "table" ? before.block : null;
  if (before && !earlier) return null;
  const rows = runs(tokens.slice(Math.max(0, body)), "tr", open.level + 2);
  const fresh = body < 0 ? [] : rows;
  const columns = tokens.filter(({ type }) => type === "th_open").length;
  if (!before && (fresh.length < 2 || columns * fresh.length > mostCells)) return whole(tokens, options);
  if (earlier && columns * (earlier.settled.length + fresh.length) > mostCells) return null;
  const start = open.map?.[0] ?? 0;
  const done = Math.max(0, fresh.length - 1);
  const rendered = fresh.map((row) => html(row, options));
  const end = tokens.findIndex(({ type }) => type === "tbody_close");
  return {
    block: {
      kind: "table",
      head: earlier?.head ?? html(tokens.slice(0, body + 1), options),
      settled: [...(earlier?.settled ?? []), ...rendered.slice(0, done)],
      live: rendered.slice(done),
      foot: earlier?.foot ?? html(tokens.slice(end), options),
    },
    // A row is a line; the two before the rows are the header and what says that it is one.
    next: done > 0 ? { markup: "", loose: false, line: start + 2 + done, context: [start, start + 2] } : null,
  };
}

function readFence(fence: Token, options: MarkdownOptions, before: Growing | null): Reading | null {
  const earlier = before?.block.kind === "code" ? before.block : null;
  if (before && !(earlier && before.markup === fence.markup)) return null;
  const growing = Boolean((fence.meta as { growing?: boolean } | null)?.growing);
  const { content } = fence;
  if (!growing) {
    if (earlier) fence.content = `${earlier.settled}\n${content}`;
    return whole([fence], options);
  }
  const text = earlier ? `\n${content}` : content;
  const end = text.lastIndexOf("\n");
  if (end <= 0 && !earlier) return whole([fence], options);
  const language = languageName(fence.info);
  const [head = "", foot = ""] = codeBlock({ code: "", language, growing: true }).split(/(?<=<code>)(?=<\/code>)/);
  const start = fence.map?.[0] ?? 0;
  const lines = content.slice(0, content.lastIndexOf("\n") + 1).split("\n").length - 1;
  return {
    block: {
      kind: "code",
      head,
      settled: earlier ? earlier.settled + text.slice(0, Math.max(0, end)) : text.slice(0, end),
      live: text.slice(Math.max(0, end)).replace(/\n$/, ""),
      foot,
    },
    next: lines > 0 ? { markup: fence.markup, loose: false, line: start + 1 + lines, context: [start, start + 1] } : null,
  };
}
