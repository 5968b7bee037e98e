import { topLevel } from "@colloquy/schemas/text/top-level-tokens.ts";
import type { Env, Token } from "markdown-it";
import { changedLabels, type Definitions, trackLookups } from "./definitions.ts";
import { blockHtml, type Growing, type GrowingBlock, type Reading, readBlock } from "./growing.ts";
import { longestText, type MarkdownOptions, parserFor } from "./markdown.ts";
import { firstLine, lengthBefore, lineStarts, normaliseLines } from "./source-lines.ts";

type StreamingOptions = MarkdownOptions & Required<Pick<MarkdownOptions, "citations">>;

/**
 * Renders a streamed text incrementally by block. A block is final once a blank line ends it and two more blocks follow, or a list, table or
 * fence with settled parts; everything after the last final block is parsed again at each step, a list, table or fence only from its last parts
 * (`growing.ts`). Late link definitions re-render only the blocks that use them. For every prefix the result equals a full rendering.
 */
export interface StreamingState {
  readonly options: StreamingOptions;
  /** The part of the text that is final. */
  readonly settled: string;
  readonly blocks: readonly FinalBlock[];
  /** Link definitions of the settled text, and of the whole text as it stands. */
  readonly definitions: Definitions;
  readonly known: Definitions;
  /** The settled part of the first block that is not final. */
  readonly growing: Growing | null;
}

/** `id` is a stable key. A block that did not change is the same object. */
export type RenderedBlock = GrowingBlock & { id: string };

interface FinalBlock {
  readonly shown: RenderedBlock;
  readonly source: string;
  readonly asked: ReadonlySet<string>;
}

export interface Step {
  state: StreamingState;
  committed: readonly RenderedBlock[];
  /** Blocks that may still change, in order. */
  tail: readonly RenderedBlock[];
}

/**
 * The initial state. `citations` should be `pending` until the answer is complete. Only texts with citations can be streamed: footnotes, which
 * other texts have, change what was shown before them.
 */
export function startStreaming(options: StreamingOptions): StreamingState {
  return { options: { ...options, leaves: "wait" }, settled: "", blocks: [], definitions: {}, known: {}, growing: null };
}

/** The HTML of a step. */
export const stepHtml = ({ committed, tail }: Step): string => [...committed, ...tail].map(blockHtml).join("");

/** Advances to `text` (the whole text, not the new part). `complete` ends the stream. A text that is no continuation starts over. */
export function advance(state: StreamingState, text: string, complete: boolean): Step {
  const whole = text.length > longestText ? text.slice(0, longestText) : text;
  if (!whole.startsWith(state.settled)) return advance(startStreaming(state.options), whole, complete);
  const raw = whole.slice(state.settled.length);
  const rest = normaliseLines(raw, complete);
  const options = { ...state.options, incomplete: !complete };
  const region = readOn(state, rest, options) ?? readAll(state, rest, options);
  const { readings, starts, resumed } = region;

  const count = complete ? 0 : finalCount(region, rest);
  const offset = count ? (starts[count] ?? 0) : 0;
  const changed = changedLabels(state.known, region.definitions);
  const before = changed.length ? state.blocks.map((block) => redefined(block, changed, state.options, region.definitions)) : state.blocks;
  const shown = readings.map(({ block }, index): RenderedBlock => ({ ...block, id: `b${state.blocks.length + index}` }));
  const added = shown.slice(0, count).map((block, index): FinalBlock => {
    const source = rest.slice(starts[index], starts[index + 1] ?? offset);
    return { shown: block, source, asked: region.asked };
  });
  const blocks = count ? [...before, ...added] : before;
  const settled = count ? whole.slice(0, state.settled.length + lengthBefore(raw, offset)) : state.settled;
  const definitions = count ? definitionsUpTo(rest, offset, region, state) : state.definitions;
  const growing = complete ? state.growing : nextGrowing(count, rest.slice(offset), { region, definitions, state, resumed, offset });
  const next = { ...state, settled, blocks, definitions, known: region.definitions, growing };
  return { state: next, committed: blocks.map((block) => block.shown), tail: shown.slice(count) };
}

/** The parsed text after the final blocks. */
interface Region {
  readings: Reading[];
  /** The offset of each block in that text. */
  starts: number[];
  /** The parsed text, its line offsets, and the shift between its offsets and those of the text after the final blocks. */
  parsed: string;
  lines: number[];
  shift: number;
  definitions: Definitions;
  /** Whether the text has new link definitions. */
  defines: boolean;
  asked: ReadonlySet<string>;
  resumed: Growing | null;
}

function readAll(state: StreamingState, rest: string, options: MarkdownOptions): Region {
  return read(rest, 0, state.definitions, options, null) as Region;
}

/** Resumes after the settled part of the first block. Null if that is no longer valid. */
function readOn({ growing, known }: StreamingState, rest: string, options: MarkdownOptions): Region | null {
  if (!growing || !rest.startsWith(growing.source)) return null;
  const parsed = growing.context + rest.slice(growing.source.length);
  const region = read(parsed, growing.source.length - growing.context.length, growing.definitions, options, growing);
  return region && changedLabels(known, region.definitions).some((label) => growing.asked.has(label)) ? null : region;
}

function read(parsed: string, shift: number, base: Definitions, options: MarkdownOptions, resumed: Growing | null): Region | null {
  const asked = new Set(resumed?.asked);
  const { tokens, definitions } = parse(parsed, options, base, asked);
  const lines = lineStarts(parsed);
  const groups = topLevel(tokens);
  const begins = groups.map((group) => lines[firstLine(group)] ?? parsed.length);
  const readings: Reading[] = [];
  for (const [index, group] of groups.entries()) {
    const reading = readBlock(group, parsed.slice(begins[index], begins[index + 1]), options, index === 0 ? resumed : null);
    if (!reading) return null;
    readings.push(reading);
  }
  if (resumed && readings.length === 0) return null;
  const starts = begins.map((begin, index) => (resumed && index === 0 ? 0 : begin + shift));
  const defines = changedLabels(base, definitions).length > 0;
  return { readings, starts, parsed, lines, shift, definitions, defines, asked, resumed };
}

/**
 * The number of final blocks: up to the last one that ends with a blank line and has two more blocks after it; or all before the last, if that
 * one has settled parts.
 */
function finalCount({ readings, starts }: Region, rest: string): number {
  const last = readings.length - 1;
  // An unclosed formula is read differently once the text is complete, so it is not final.
  const open = readings.findIndex(({ block }, index) => index < last && blockHtml(block).includes("math-growing"));
  const most = open < 0 ? last : open;
  if (most > 0 && readings[last]?.next) return most;
  for (let index = Math.min(last - 1, most); index > 0; index--) if (/\n[ \t]*\n$/.test(rest.slice(0, starts[index]))) return index;
  return 0;
}

/**
 * The definitions in the text before `end`; it is parsed separately only if there are new ones. Final text is parsed as complete, here and in
 * `redefined`: what follows it has shown that an opener without its closer is no formula.
 */
function definitionsUpTo(rest: string, end: number, region: Region, state: StreamingState): Definitions {
  if (!region.defines) return region.resumed?.definitions ?? state.definitions;
  return parse(rest.slice(0, end), state.options, state.definitions, new Set()).definitions;
}

interface Growth {
  region: Region;
  definitions: Definitions;
  state: StreamingState;
  resumed: Growing | null;
  offset: number;
}

/** Where parsing can resume inside the first block that is not final. */
function nextGrowing(count: number, rest: string, { region, definitions, state, resumed, offset }: Growth): Growing | null {
  const reading = region.readings[count];
  if (!reading?.next || reading.block.kind === "whole") return count === 0 ? resumed : null;
  const { markup, loose, line, context } = reading.next;
  const place = (at: number): number => region.lines[at] ?? region.parsed.length;
  const source = rest.slice(0, place(line) + region.shift - offset);
  const base = count === 0 && resumed ? resumed.definitions : definitions;
  return {
    block: reading.block,
    markup,
    loose,
    source,
    context: context.map(([from, to]) => region.parsed.slice(place(from), place(to))).join(""),
    definitions: region.defines ? parse(source, state.options, definitions, new Set()).definitions : base,
    asked: region.asked,
  };
}

/** Renders a final block again if it uses a label whose definition changed. */
function redefined(block: FinalBlock, labels: readonly string[], options: MarkdownOptions, definitions: Definitions): FinalBlock {
  if (!labels.some((label) => block.asked.has(label))) return block;
  const asked = new Set<string>();
  const { tokens } = parse(block.source, options, definitions, asked);
  const md = parserFor(options);
  const html = md.renderer.render(tokens, md.options, { ...options } as Env);
  const same = blockHtml(block.shown) === html;
  return { ...block, asked, shown: same ? block.shown : { kind: "whole", html, id: block.shown.id } };
}

function parse(source: string, options: MarkdownOptions, base: Definitions, asked: Set<string>) {
  const definitions: Definitions = { ...base };
  const env = { ...options, references: trackLookups(definitions, asked) } as Env;
  const tokens: Token[] = parserFor(options).parse(source, env);
  return { tokens, definitions };
}
