import { topLevel } from "@colloquy/schemas/text/top-level-tokens.ts";
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

/** Splits Markdown into parts of at most `most`, as `lengthOf` counts: at headings and paragraphs, else at items, sentences or words. */
export function splitMarkdown(text: string, most: number, lengthOf: (text: string) => number = (part) => part.length): string[] {
  return split(text, most, lengthOf, proseCuts).map((part) => part.replace(/^\n+/, "").trimEnd());
}

/** Splits code at blank lines, else at line ends. */
export function splitCode(code: string, most: number): string[] {
  return split(code, most, (part) => part.length, codeCuts).map((part) => part.replace(/^\n+|\n+$/g, ""));
}

function split(text: string, most: number, lengthOf: (text: string) => number, cuts: readonly Cuts[]): string[] {
  const [cut, ...finer] = cuts;
  if (lengthOf(text) <= most || !cut) return [text];
  const places = [0, ...new Set(cut(text)), text.length];
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
  return parts.flatMap((part) => split(part, most, lengthOf, finer));
}

function atBlocks(text: string): number[] {
  const starts = lineStarts(text);
  return topLevel(parseMarkdown(text, {}, "none")).flatMap(([first]) => (first?.map?.[0] ? [starts[first.map[0]] ?? 0] : []));
}

function atItems(text: string): number[] {
  const starts = lineStarts(text);
  const items = parseMarkdown(text, {}, "none").filter(({ type, level }) => type === "list_item_open" && level === 1);
  return items.flatMap(({ map }) => (map?.[0] ? [starts[map[0]] ?? 0] : []));
}

const lineStarts = (text: string): number[] => [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
