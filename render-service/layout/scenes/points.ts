import type { SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";
import {
  baselineOf,
  putBlock,
  putBox,
  putHeading,
  putLine,
  refuse,
  revealsOn,
  type Stage,
  startX,
  wordsOn,
  writingTime,
} from "../stage.ts";
import { type Block, largest, measure, setBlock } from "../text.ts";

/** Lines of text in one size, one below the other, with room between them; nothing when they do not fit. */
function setList(
  texts: readonly string[],
  room: { width: number; height: number },
  most = 46,
): { blocks: Block[]; gap: number } | undefined {
  return largest(most, 26, (size) => {
    const blocks = texts.map((text) => setBlock(text, { face: "read", size, width: room.width, leading: 1.34, balanced: true }));
    if (!blocks.every((block) => block !== undefined)) return undefined;
    const height = blocks.reduce((sum, block) => sum + block.height, 0);
    const between = texts.length > 1 ? (room.height - height) / (texts.length - 1) : size;
    return between >= size * 0.55 ? { blocks, gap: Math.min(between, size * 1.05) } : undefined;
  });
}

/** Where a list begins in its room: a little above the middle. */
const listTop = (room: { y: number; height: number }, blocks: readonly Block[], gap: number): number =>
  room.y + (room.height - blocks.reduce((sum, block) => sum + block.height + gap, -gap)) * 0.34;

const tooMuch = "The points are too long for the picture.";

/** One point is no list: it stands as a statement, large, beside a bar. */
function placeStatement(stage: Stage, point: string): undefined {
  const { body } = stage;
  const [bar, indent] = [6, 36];
  const text = wordsOn(stage, point);
  const width = body.width - indent;
  const block = largest(64, 26, (size) => {
    const set = setBlock(text, { face: "read", size, width, leading: 1.3, balanced: true });
    return set && set.height <= body.height ? set : undefined;
  });
  if (!block) return refuse(stage, tooMuch);
  const [from = 0] = revealsOn(stage, [point]);
  const y = listTop(body, [block], 0);
  const inset = block.leading * 0.16;
  const box = { x: startX(stage, body, 0, bar), y: y + inset, width: bar, height: block.height - 2 * inset };
  putBox(stage, box, { radius: bar / 2, fill: "accent" }, { part: "point 0", from });
  putBlock(stage, block, {
    x: stage.rtl ? body.x : body.x + indent,
    y,
    width,
    part: "point 0",
    from,
    motion: "wipe",
    writes: writingTime(stage, text, from, undefined),
  });
}

/** One point of a list: where it stands, and the times between which it is the one spoken of. */
interface Row {
  index: number;
  block: Block;
  y: number;
  gap: number;
  part: string;
  from: number;
  until: number | undefined;
}

/** Points below one another, each behind a mark that stands in the indent. */
function placeList(stage: Stage, points: readonly string[], indent: number, mark: (row: Row) => void): undefined {
  const { body } = stage;
  const width = body.width - indent;
  const set = setList(
    points.map((point) => wordsOn(stage, point)),
    { width, height: body.height },
  );
  if (!set) return refuse(stage, tooMuch);
  const times = revealsOn(stage, points);
  let y = listTop(body, set.blocks, set.gap);
  set.blocks.forEach((block, index) => {
    const from = times[index] ?? 0;
    const part = `point ${index}`;
    mark({ index, block, y, gap: set.gap, part, from, until: times[index + 1] });
    const writes = writingTime(stage, block.lines.join(" "), from, times[index + 1]);
    y = putBlock(stage, block, { x: stage.rtl ? body.x : body.x + indent, y, width, part, from, motion: "wipe", writes }) + set.gap;
  });
}

/** Points, each with a dot that carries the accent while it is the one spoken of. */
export function placePoints(stage: Stage, { heading, points }: SceneContent<"points">): undefined {
  putHeading(stage, heading);
  const [only = ""] = points;
  if (points.length === 1) return placeStatement(stage, only);
  const dot = 11;
  return placeList(stage, points, 40, ({ block, y, part, from, until }) => {
    const box = { x: startX(stage, stage.body, 4, dot), y: y + block.leading / 2 - dot / 2 + 1, width: dot, height: dot };
    putBox(stage, box, { radius: dot / 2, fill: "line-strong" }, { part, from });
    putBox(stage, box, { radius: dot / 2, fill: "accent" }, { part, from, ...(until !== undefined && { until }) });
  });
}

/** What to keep: numbered, with quiet lines between. */
export function placeRecap(stage: Stage, { heading, points }: SceneContent<"recap">): undefined {
  putHeading(stage, heading);
  const { body } = stage;
  return placeList(stage, points, 64, ({ index, block, y, gap, part, from }) => {
    if (index > 0)
      putBox(stage, { x: body.x, y: y - gap / 2 - 1, width: body.width, height: 2 }, { radius: 1, fill: "line" }, { part, from });
    const text = String(index + 1);
    const { advance } = measure(text, "read-strong", block.size);
    putLine(
      stage,
      { text, face: "read-strong", size: block.size, x: startX(stage, body, 2, advance), baseline: baselineOf(y, block) },
      { colour: "accent", part, from, motion: "rise", direction: "ltr" },
    );
  });
}
