import type { Box } from "@colloquy/schemas/explainers/placed.ts";
import type { SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";
import { putBlock, putBox, putHeading, refuse, revealsOn, type Stage, startX, wordsOn, writingTime } from "../stage.ts";
import { type Block, largest, setBlock } from "../text.ts";

interface Side {
  title: Block;
  points: Block[];
  /** How high title and points stand, with those of the other side where each has one. */
  rows: number[];
}
const inset = { x: 32, y: 28 };
const between = 20;
const indent = 28;

function set(title: string, points: readonly string[], size: number, width: number): Side | undefined {
  const room = width - 2 * inset.x;
  const head = setBlock(title, { face: "read-strong", size: Math.round(size * 1.12), width: room, leading: 1.2, balanced: true });
  const blocks = points.map((point) => setBlock(point, { face: "read", size, width: room - indent, leading: 1.28, balanced: true }));
  if (!head || !blocks.every((block) => block !== undefined)) return undefined;
  return { title: head, points: blocks, rows: [head, ...blocks].map(({ height }) => height) };
}

const heightOf = ({ rows }: Side): number => 2 * inset.y + rows.reduce((sum, row) => sum + between + row, -between);

/** Where there are as many points on either side, each stands beside its like. */
function inRows(sides: readonly Side[]): Side[] {
  const [one, other] = sides;
  if (!one || !other || one.rows.length !== other.rows.length) return [...sides];
  const rows = one.rows.map((row, index) => Math.max(row, other.rows[index] ?? 0));
  return sides.map((side) => ({ ...side, rows }));
}

/** Two things side by side, in the tall picture one above the other. */
export function placeCompare(stage: Stage, { heading, left, right }: SceneContent<"compare">): undefined {
  putHeading(stage, heading);
  const { body, wide, rtl } = stage;
  const gap = wide ? 32 : 28;
  const width = wide ? (body.width - gap) / 2 : body.width;
  const words = [left, right].map(({ title, points }) => ({
    title: wordsOn(stage, title, "read-strong"),
    points: points.map((point) => wordsOn(stage, point)),
  }));
  const made = largest(40, 26, (size) => {
    const alone = words.map(({ title, points }) => set(title, points, size, width));
    if (!alone.every((side) => side !== undefined)) return undefined;
    const sides = wide ? inRows(alone) : alone;
    const tallest = Math.max(...sides.map(heightOf));
    const whole = wide ? tallest : sides.reduce((sum, side) => sum + heightOf(side), gap);
    return whole <= body.height ? { sides, tallest, whole } : undefined;
  });
  if (!made) return refuse(stage, "What is compared is too long for the picture.");
  const times = revealsOn(
    stage,
    words.flatMap(({ title, points }) => [title, ...points]),
  );
  const top = body.y + (body.height - made.whole) * 0.3;
  let y = top;
  let time = 0;
  made.sides.forEach((side, index) => {
    const x = wide ? ((index === 0) !== rtl ? body.x : body.x + width + gap) : body.x;
    const height = wide ? made.tallest : heightOf(side);
    putSide(stage, side, { x, y, width, height }, `side ${index}`, times.slice(time, time + side.points.length + 1));
    time += side.points.length + 1;
    if (!wide) y += height + gap;
  });
}

function putSide(
  stage: Stage,
  { title, points, rows: [head = 0, ...rows] }: Side,
  card: Box,
  part: string,
  [first = 0, ...times]: readonly number[],
): void {
  putBox(stage, card, { radius: 16, fill: "raised", stroke: "line", strokeWidth: 2 }, { part, from: first });
  const room = { x: card.x + inset.x, width: card.width - 2 * inset.x };
  putBlock(stage, title, { ...room, y: card.y + inset.y, part, from: first });
  let y = card.y + inset.y + head;
  points.forEach((block, index) => {
    const from = times[index] ?? first;
    y += between;
    const dot = { x: startX(stage, room, 2, 9), y: y + block.leading / 2 - 3.5, width: 9, height: 9 };
    putBox(stage, dot, { radius: 4.5, fill: "line-strong" }, { part: `${part} ${index}`, from });
    const x = stage.rtl ? room.x : room.x + indent;
    const writes = writingTime(stage, block.lines.join(" "), from, times[index + 1]);
    const written = { motion: "wipe", writes } as const;
    putBlock(stage, block, { x, y, width: room.width - indent, colour: "ink-soft", part: `${part} ${index}`, from, ...written });
    y += rows[index] ?? block.height;
  });
}
