import type { Env, Token } from "markdown-it";
import type { Citations } from "./citations.ts";
import { type MarkdownOptions, parserFor } from "./markdown.ts";

/**
 * Renders a growing text block by block. A block is final once a blank line ends it and two more blocks follow; everything after the
 * last final block is parsed anew at each step. Link definitions that arrive late change only the final blocks that could mean them.
 * The final blocks plus the tail are, for every prefix, exactly what a fresh rendering gives.
 */
export interface StreamingState {
  readonly options: MarkdownOptions;
  /** The part of the (normalised) text that is final. */
  readonly settled: string;
  readonly blocks: readonly FinalBlock[];
  /** Link definitions of the settled text, and of the whole text as it stands. */
  readonly definitions: Definitions;
  readonly known: string;
}

export interface RenderedBlock {
  /** Stable for the life of the block: a key for the list that shows it. */
  id: string;
  html: string;
}

interface FinalBlock extends RenderedBlock {
  readonly source: string;
}

type Definitions = NonNullable<Env["references"]>;

/** The state before the first letter. `citations` should be `pending` until the answer is complete. */
export function startStreaming(options: MarkdownOptions = {}): StreamingState {
  return { options, settled: "", blocks: [], definitions: {}, known: "{}" };
}

/** Moves on to `text` (all of it, not the new piece). With `complete`, nothing waits any longer. A text that is no continuation starts over. */
export function advance(
  state: StreamingState,
  text: string,
  complete: boolean,
): { state: StreamingState; committed: readonly RenderedBlock[]; tail: string } {
  const source = normalise(text, complete);
  if (!source.startsWith(state.settled)) return advance(startStreaming(state.options), text, complete);
  const options = { ...state.options, incomplete: !complete };
  const md = parserFor(options);

  const rest = source.slice(state.settled.length);
  const parsed = parse(rest, options, state.definitions);
  const cut = complete ? 0 : settledLines(parsed.tokens, rest);
  const settledNow = cut ? lineStart(rest, cut) : 0;
  const all = JSON.stringify(parsed.definitions);
  const redefined = all !== state.known;

  let blocks: readonly FinalBlock[] = state.blocks;
  let definitions = state.definitions;
  if (redefined)
    blocks = blocks.map((block) =>
      block.source.includes("[") ? { ...block, html: rendered(block.source, state.options, parsed.definitions) } : block,
    );
  if (cut) {
    const final = parse(rest.slice(0, settledNow), state.options, state.definitions);
    definitions = final.definitions;
    const added = topLevel(final.tokens).map((tokens, index, groups): FinalBlock => {
      const from = lineStart(rest, firstLine(tokens));
      const next = groups[index + 1];
      const blockSource = rest.slice(from, next === undefined ? settledNow : lineStart(rest, firstLine(next)));
      return { id: `b${state.blocks.length + index}`, source: blockSource, html: rendered(blockSource, state.options, parsed.definitions) };
    });
    blocks = [...blocks, ...added];
  }
  const tailTokens = cut ? parse(rest.slice(settledNow), options, parsed.definitions).tokens : parsed.tokens;
  const tail = md.renderer.render(tailTokens, md.options, { ...options } as Env);
  const next = { ...state, settled: state.settled + rest.slice(0, settledNow), blocks, definitions, known: all };
  return { state: next, committed: blocks, tail };
}

/** Gives the answer its citations. Only blocks that hold a citation are rendered again. */
export function withCitations(state: StreamingState, citations: Citations): StreamingState {
  const options = { ...state.options, citations };
  const definitions = JSON.parse(state.known) as Definitions;
  const blocks = state.blocks.map((block) =>
    block.source.includes("[^") ? { ...block, html: rendered(block.source, options, definitions) } : block,
  );
  return { ...state, options, blocks };
}

/** Line ends as the parser sees them. A carriage return at the very end may be half of one. */
function normalise(text: string, complete: boolean): string {
  const whole = !complete && text.endsWith("\r") ? text.slice(0, -1) : text;
  return whole.replace(/\r\n?/g, "\n").replaceAll("\0", "\ufffd");
}

function parse(source: string, options: MarkdownOptions, definitions: Definitions): { tokens: Token[]; definitions: Definitions } {
  const env = { ...options } as Env;
  env.references = { ...definitions };
  const tokens = parserFor(options).parse(source, env);
  return { tokens, definitions: env.references };
}

function rendered(source: string, options: MarkdownOptions, definitions: Definitions): string {
  const md = parserFor(options);
  return md.renderer.render(parse(source, options, definitions).tokens, md.options, { ...options } as Env);
}

/** The tokens of each block on the top level. */
function topLevel(tokens: readonly Token[]): Token[][] {
  const groups: Token[][] = [];
  let depth = 0;
  for (const token of tokens) {
    if (depth === 0) groups.push([]);
    groups.at(-1)?.push(token);
    depth += token.nesting;
  }
  return groups;
}

/** The line a block begins on. Not every rule maps its opening token to its first line. */
function firstLine(block: readonly Token[]): number {
  return Math.min(...block.flatMap((token) => (token.map ? [token.map[0]] : [])));
}

/** How many lines from the start are final: up to the last block that ends with a blank line and has two more blocks behind it. */
function settledLines(tokens: readonly Token[], source: string): number {
  const starts = topLevel(tokens).map(firstLine);
  const lines = source.split("\n");
  for (let index = starts.length - 2; index > 0; index--) {
    const line = starts[index] ?? 0;
    if (line > 0 && lines[line - 1]?.trim() === "") return line;
  }
  return 0;
}

function lineStart(source: string, line: number): number {
  let at = 0;
  for (let count = 0; count < line; count++) at = source.indexOf("\n", at) + 1;
  return at;
}
