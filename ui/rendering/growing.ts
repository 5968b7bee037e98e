import type { Token } from "markdown-it";
import { codeBlock } from "./code-block.ts";
import type { Definitions } from "./definitions.ts";
import { escapeHtml } from "./escape.ts";
import { languageName } from "./languages.ts";
import { type MarkdownOptions, parserFor } from "./markdown.ts";
import { firstLine } from "./source-lines.ts";

/**
 * Incremental rendering inside the last block of a streamed text: in a list, table or fence only the last items, row or line can still change.
 * What precedes them is settled; parsing resumes there, after a few lines of `context` that reopen the block.
 */
export type GrowingBlock =
  | { kind: "whole"; html: string }
  | { kind: "table"; head: string; settled: readonly string[]; live: readonly string[]; foot: string }
  /** With `inner`, the parts are the items of a nested list in the last item; the items before it are in `head`. */
  | { kind: "list"; inner: boolean; head: string; settled: readonly string[]; live: readonly string[]; foot: string }
  /** Plain code: text that is not escaped yet. */
  | { kind: "code"; head: string; settled: string; live: string; foot: string };

/** The HTML of a block with all its parts. */
export function blockHtml(block: GrowingBlock): string {
  if (block.kind === "whole") return block.html;
  const parts = block.kind === "code" ? escapeHtml(block.settled + block.live) : block.settled.join("") + block.live.join("");
  return block.head + parts + block.foot;
}

/** The settled part of the block at the end of the text. */
export interface Growing {
  readonly block: Exclude<GrowingBlock, { kind: "whole" }>;
  readonly markup: string;
  /** A list with blank lines between its items. */
  readonly loose: boolean;
  /** The text from the block's start to where parsing resumes. */
  readonly source: string;
  readonly context: string;
  readonly definitions: Definitions;
  readonly asked: ReadonlySet<string>;
}

/** A block and how much of it is settled: parsing resumes at `line`, after the lines of `context`. */
export interface Reading {
  block: GrowingBlock;
  next: { markup: string; loose: boolean; line: number; context: readonly Lines[] } | null;
}

/** A range of lines. */
export type Lines = readonly [from: number, to: number];

/** The next item of a list may change the end of the previous one. */
const liveItems = 2;
/** A nested list with this many items is parsed incrementally by itself. */
const minNestedItems = 8;
/** The parser fills short table rows only up to a limit counted from the header. */
const mostCells = 50_000;

/**
 * Reads one top-level block, or with `before` the continuation of one. Null if it does not continue as it began and has to be read from its
 * start.
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

/** The token ranges from each `type` on this level to its end. */
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
  if (before?.block.kind === "list" && before.block.inner) return readNestedList(tokens, source, options, before, () => "");
  const paragraphs = tokens.filter(({ type, level }) => level === open.level + 2 && /^paragraph_/.test(type));
  const found = paragraphs[0] ? !paragraphs[0].hidden : /\n[ \t]*\n/.test(source) ? null : false;
  if (before) {
    const goesOn = before.markup === open.markup && sameKind(before.block.head, open);
    const contextLines = before.context.split("\n").length - 1;
    if (before.block.kind !== "list" || !goesOn || line(items[1]) !== contextLines || (found !== before.loose && !before.loose))
      return null;
    // The list may become a task list, and the last item may turn out not to be a task.
    const settledTask = before.block.settled.some((item) => item.startsWith('<li class="task-item"'));
    if ((settledTask || /class="tasks"/.test(head)) !== /class="tasks"/.test(before.block.head)) return null;
    for (const paragraph of paragraphs) if (before.loose) paragraph.hidden = false;
  }
  const fresh = before ? items.slice(1) : items;
  const earlier = before?.block.kind === "list" ? before.block : null;
  const outside = () =>
    (earlier?.head ?? head) +
    (earlier?.settled ?? []).join("") +
    fresh
      .slice(0, -1)
      .map((item) => html(item, options))
      .join("");
  const inside = readNestedList(tokens, source, options, null, outside);
  if (inside) return inside;
  if (!before && (found === null || items.length <= liveItems)) return whole(tokens, options);
  const loose = before ? before.loose : found === true;
  const done = Math.max(0, fresh.length - liveItems);
  const rendered = fresh.map((item) => html(item, options));
  // Blank lines around an unfinished item do not yet make the list loose.
  const settledLines = source.split("\n").slice(0, line(fresh[done]) - line(items[0]));
  const lasting = done > 0 && (!loose || before?.loose || /\n[ \t]*\n/.test(settledLines.join("\n").trimEnd()));
  return {
    block: {
      kind: "list",
      inner: false,
      head: earlier?.head ?? head,
      settled: [...(earlier?.settled ?? []), ...rendered.slice(0, done)],
      live: rendered.slice(done),
      foot: earlier?.foot ?? html([close], options),
    },
    next: lasting ? { markup: open.markup, loose, line: line(fresh[done]), context: [[line(fresh[done - 1]), line(fresh[done])]] } : null,
  };
}

/** Where an item begins. */
const line = (item: Token[] | undefined): number => item?.[0]?.map?.[0] ?? -1;

/**
 * Reads a nested list at the end of the last item, if neither list has blank lines. The context is the item's own text and the last settled
 * nested item. Null if there is none, it is short, or it does not continue as it began.
 * @param outside HTML before the last item, for a list that is read from its start
 */
function readNestedList(
  tokens: Token[],
  source: string,
  options: MarkdownOptions,
  before: Growing | null,
  outside: () => string,
): Reading | null {
  const open = tokens[0] as Token;
  const items = runs(tokens, "list_item", open.level + 1);
  const item = items.at(-1) ?? [];
  const close = item.at(-2);
  const from = item.findLastIndex((token) => token.level === open.level + 2 && token.type === close?.type.replace("_close", "_open"));
  const inner = item[from];
  if (!inner || !close || !/_list_close$/.test(close.type) || close.level !== open.level + 2 || /\n[ \t]*\n/.test(source)) return null;
  const inside = runs(item.slice(from), "list_item", open.level + 3);
  const prefix = html(item.slice(0, from + 1), options);
  const earlier = before?.block.kind === "list" ? before.block : null;
  const markup = open.markup + inner.markup;
  if (before) {
    const goesOn = items.length === 1 && before.markup === markup && before.block.head.endsWith(prefix);
    if (!goesOn || line(inside[1]) !== before.context.split("\n").length - 1) return null;
  } else if (inside.length < minNestedItems + liveItems) return null;
  const fresh = before ? inside.slice(1) : inside;
  const done = Math.max(0, fresh.length - liveItems);
  const rendered = fresh.map((one) => html(one, options));
  const own: Lines = [line(item), line(inside[0])];
  return {
    block: {
      kind: "list",
      inner: true,
      head: earlier?.head ?? outside() + prefix,
      settled: [...(earlier?.settled ?? []), ...rendered.slice(0, done)],
      live: rendered.slice(done),
      foot: earlier?.foot ?? html([close, item.at(-1) as Token, tokens.at(-1) as Token], options),
    },
    next: done > 0 ? { markup, loose: false, line: line(fresh[done]), context: [own, [line(fresh[done - 1]), line(fresh[done])]] } : null,
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
    // A row is one line; before the rows are the header and its delimiter row.
    next: done > 0 ? { markup: "", loose: false, line: start + 2 + done, context: [[start, start + 2]] } : null,
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
    next: lines > 0 ? { markup: fence.markup, loose: false, line: start + 1 + lines, context: [[start, start + 1]] } : null,
  };
}
