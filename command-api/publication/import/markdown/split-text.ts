import { topLevel } from "@colloquy/schemas/text/top-level-tokens.ts";
import type { Token } from "markdown-it";
import { parseMarkdown } from "./scan.ts";

/** Finds the offsets at which a text may be cut, in order. */
type Cuts = (text: string) => number[];

const before =
  (pattern: RegExp): Cuts =>
  (text) =>
    [...text.matchAll(pattern)].map((match) => match.index + match[0].length).filter((at) => at > 0 && at < text.length);
const atLines = before(/\n+/g);
const anywhere: Cuts = (text) => Array.from({ length: Math.floor(text.length / 1_000) }, (_, index) => whole(text, (index + 1) * 1_000));
/** Never within a surrogate pair or a mark of the private use area. */
const whole = (text: string, at: number): number => {
  const mark = text.lastIndexOf("\uE003", at);
  const open = Math.max(...["\uE000", "\uE001", "\uE002"].map((sign) => text.lastIndexOf(sign, at)));
  const start = open > mark ? open : at;
  return text.slice(0, start).isWellFormed() ? start : start - 1;
};

/** From the best places to the last resort. */
const proseCuts: Cuts[] = [
  atBlocks,
  atItems,
  before(/\n>?[ \t]*\n/g),
  atLines,
  before(/[.!?…。！？]["”’)]*\s+|[。！？]/g),
  before(/\s+/g),
  anywhere,
];
const codeCuts: Cuts[] = [before(/\n\s*\n/g), atLines, before(/\s+/g), anywhere];

/**
 * Splits Markdown into parts of at most `most`, as `lengthOf` counts: at headings and paragraphs, else at items, sentences or words. Fenced
 * code longer than that becomes several fences, outside the list or quotation that it stood in. A longer formula stays whole.
 */
export function splitMarkdown(text: string, most: number, lengthOf: (text: string) => number = (part) => part.length): string[] {
  if (lengthOf(text) <= most) return [tidy(text)];
  const wholes = wholeParts(text);
  const parts: string[] = [];
  let at = 0;
  const splitUntil = (end: number): void => {
    parts.push(...split(text.slice(at, end), most, lengthOf, proseCuts, wholes, at));
  };
  for (const { start, end, fence } of wholes) {
    if (!fence || lengthOf(text.slice(start, end)) <= most) continue;
    splitUntil(start);
    const room = most - fence.info.length - 2 * fence.markup.length - 2;
    parts.push(...splitCode(fence.content, room).map((code) => `${fence.markup}${fence.info}\n${code}\n${fence.markup}`));
    at = end;
  }
  splitUntil(text.length);
  return parts.map(tidy).filter((part) => /[^\s>]/.test(part));
}

const tidy = (part: string): string => part.replace(/^\n+/, "").trimEnd();

/** Splits code at blank lines, else at line ends. */
export function splitCode(code: string, most: number): string[] {
  return split(code, most, (part) => part.length, codeCuts, []).map((part) => part.replace(/^\n+|\n+$/g, ""));
}

/** A range of offsets within which nothing is cut; several are in order. */
interface Whole {
  start: number;
  end: number;
  fence?: Token;
}

function split(
  text: string,
  most: number,
  lengthOf: (text: string) => number,
  cuts: readonly Cuts[],
  wholes: readonly Whole[],
  offset = 0,
): string[] {
  const [cut, ...finer] = cuts;
  if (lengthOf(text) <= most || !cut) return [text];
  let next = 0;
  const free = (at: number): boolean => {
    while ((wholes[next]?.end ?? Number.POSITIVE_INFINITY) <= offset + at) next += 1;
    return offset + at <= (wholes[next]?.start ?? Number.POSITIVE_INFINITY);
  };
  const places = [0, ...new Set(cut(text).filter(free)), text.length];
  const parts: string[] = [];
  let open = "";
  let length = 0;
  for (const [index, from] of places.slice(0, -1).entries()) {
    const unit = text.slice(from, places[index + 1]);
    const own = lengthOf(unit);
    if (open && length + own > most) {
      parts.push(open);
      open = "";
      length = 0;
    }
    open += unit;
    length += own;
  }
  if (open.trim()) parts.push(open);
  let from = offset;
  return parts.flatMap((part) => {
    from += part.length;
    return split(part, most, lengthOf, finer, wholes, from - part.length);
  });
}

/** Fenced code and displayed formulas, wherever they stand: half of one is neither. */
function wholeParts(text: string): Whole[] {
  const starts = lineStarts(text);
  const blocks = parseMarkdown(text, {}, "dollars")
    .filter(({ type }) => type === "fence" || type === "math_block")
    .map((token) => ({
      start: starts[token.map?.[0] ?? 0] ?? 0,
      end: starts[token.map?.[1] ?? 0] ?? text.length,
      ...(token.type === "fence" && { fence: token }),
    }));
  const isInBlock = (at: number): boolean => blocks.some(({ start, end }) => start <= at && at < end);
  const inLines = [...text.matchAll(/\$\$(?:(?!\n[ \t]*\n|\$\$)[\s\S])+\$\$/g)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
  return [...blocks, ...inLines.filter(({ start }) => !isInBlock(start))].sort((a, b) => a.start - b.start);
}

function atBlocks(text: string): number[] {
  const starts = lineStarts(text);
  return topLevel(parseMarkdown(text, {}, "dollars")).flatMap(([first]) => (first?.map?.[0] ? [starts[first.map[0]] ?? 0] : []));
}

function atItems(text: string): number[] {
  const starts = lineStarts(text);
  const items = parseMarkdown(text, {}, "dollars").filter(({ type, level }) => type === "list_item_open" && level === 1);
  return items.flatMap(({ map }) => (map?.[0] ? [starts[map[0]] ?? 0] : []));
}

const lineStarts = (text: string): number[] => [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
