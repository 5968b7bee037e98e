import type { Block, BlockType } from "../authored.ts";
import type { ParsedBlock } from "../blocks.ts";
import { formatBlock, parseBlock } from "../parse.ts";

/** What a block of each type may become. Its id stays, and so does everything readers keep with it. */
const conversions: Partial<Record<BlockType, readonly BlockType[]>> = {
  "core.theory": ["core.key-points", "core.callout"],
  "core.key-points": ["core.theory", "core.callout"],
  "core.callout": ["core.theory", "core.key-points"],
};

/** Whether blocks of a type can be converted, once their source has no errors. */
export const isConvertible = (type: BlockType): boolean => conversions[type] !== undefined;

/** The types a block can be converted to just now: none while its source has errors. */
export function conversionsOf(block: Block): readonly BlockType[] {
  return parseBlock(block).ok ? (conversions[block.type] ?? []) : [];
}

/** The block as another type, its id and its words kept; null where that is not possible (`conversionsOf`). */
export function convertedBlock(block: Block, type: BlockType): Block | null {
  if (!conversions[block.type]?.includes(type)) return null;
  const parsed = parseBlock(block);
  if (!parsed.ok) return null;
  const made = { ...block, type, source: formatBlock(dataAs(type, parsed.block)) };
  return parseBlock(made).ok ? made : null;
}

function dataAs(type: BlockType, { type: from, data }: ParsedBlock): Pick<ParsedBlock, "type" | "data"> {
  const own = "title" in data ? data.title : undefined;
  const text = from === "core.key-points" ? listOf(data.points) : "markdown" in data ? data.markdown : "";
  const { markdown, ...title } = (from === "core.theory" && headingOver(text)) || {
    markdown: text,
    ...(own !== undefined && { title: own }),
  };
  if (type === "core.key-points") return { type, data: { ...title, points: pointsOf(markdown) } };
  if (type === "core.callout") return { type, data: { kind: "note", folded: false, ...title, markdown } };
  // Text has no title of its own: it becomes the heading above it.
  return { type: "core.theory", data: { markdown: own === undefined ? markdown : `## ${own}\n\n${markdown}` } };
}

/** The heading of plain words over a text that has no other: as another type's title it means the same. */
function headingOver(text: string): { title: string; markdown: string } | null {
  const [first = "", ...rest] = text.split("\n");
  const title = /^## ([^*_`$[\]<>\\&#]+)$/.exec(first)?.[1]?.trim();
  const markdown = rest.join("\n").replace(/^\n+/, "");
  return title && markdown.trim() && !/^#{1,6} /m.test(markdown) ? { title, markdown } : null;
}

const listOf = (points: readonly string[]): string => formatBlock({ type: "core.key-points", data: { points: [...points] } });

const marker = /^(?:[-*+]|\d{1,9}[.)])(?: +|\t)/;

/** A text as points: each item of its lists is one, and so is each paragraph beside them, whole; what is indented stays with its item. */
function pointsOf(markdown: string): string[] {
  const points: string[][] = [];
  let fence: string | null = null;
  let inList = false;
  let afterBlank = true;
  for (const line of markdown.split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    const open = points.at(-1);
    const inside = fence !== null;
    if (mark && fence === null) fence = mark;
    else if (mark && fence !== null && mark.startsWith(fence)) fence = null;
    const item = inside ? null : marker.exec(line);
    const blank = line.trim() === "";
    if (item) points.push([line.slice(item[0].length)]);
    else if (!inside && !blank && (!open || (afterBlank && !/^(?: {2,}|\t)/.test(line)))) points.push([line]);
    else if (open) open.push(inList ? line.replace(/^(?: {1,2}|\t)/, "") : line);
    if (item) inList = true;
    else if (!blank && afterBlank && !/^\s/.test(line)) inList = false;
    afterBlank = blank;
  }
  return points.map((lines) => lines.join("\n").trim()).filter(Boolean);
}
