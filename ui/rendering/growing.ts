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
  | { kind: "table"; head: string; settled: readonly string[]; live: readonly string[]; foot: string }
  /** With `inner`, the parts are those of the list that ends the last item; the items before it stand in `head`. */
  | { kind: "list"; inner: boolean; head: string; settled: readonly string[]; live: readonly string[]; foot: string }
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
  next: { markup: string; loose: boolean; line: number; context: readonly Lines[] } | null;
}

/** From a line on, up to another. */
export type Lines = readonly [from: number, to: number];

/** A list's next item may still change how the one before it ends. */
const liveItems = 2;
/** From so many items on a list inside an item is read on by itself. */
const manyInside = 8;
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
  if (before?.block.kind === "list" && before.block.inner) return readInside(tokens, source, options, before, () => "");
  const paragraphs = tokens.filter(({ type, level }) => level === open.level + 2 && /^paragraph_/.test(type));
  const found = paragraphs[0] ? !paragraphs[0].hidden : /\n[ \t]*\n/.test(source) ? null : false;
  if (before) {
    const goesOn = before.markup === open.markup && sameKind(before.block.head, open);
    const contextLines = before.context.split("\n").length - 1;
    if (before.block.kind !== "list" || !goesOn || line(items[1]) !== contextLines || (found !== before.loose && !before.loose))
      return null;
    // A task may come, and an item that was a task when it was the last may turn out to be none.
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
  const inside = readInside(tokens, source, options, null, outside);
  if (inside) return inside;
  if (!before && (found === null || items.length <= liveItems)) return whole(tokens, options);
  const loose = before ? before.loose : found === true;
  const done = Math.max(0, fresh.length - liveItems);
  const rendered = fresh.map((item) => html(item, options));
  // Blank lines around what may still turn out to be no item make nothing loose for good.
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
 * Reads the list that ends the last item of a list, where neither has blank lines. The context is the item's own words and the last settled
 * item inside. Null when there is none, when it is short, or when it does not go on as it began.
 * @param outside what stands before the last item, for a list that is not read on
 */
function readInside(
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
  } else if (inside.length < manyInside + liveItems) return null;
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
    // A row is a line; the two before the rows are the header and what says that it is one.
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
