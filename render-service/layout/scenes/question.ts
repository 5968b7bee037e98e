import type { Box } from "@colloquy/schemas/explainers/placed.ts";
import type { SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";
import { askedSeconds } from "@colloquy/schemas/explainers/timing.ts";
import { putBlock, putBox, putLine, refuse, type Stage, startX, wordsOn } from "../stage.ts";
import { type Block, largest, measure, setBlock } from "../text.ts";

const letters = { latin: ["A", "B", "C", "D"], arabic: ["أ", "ب", "ج", "د"] };
const badge = 46;
const inset = { x: 24, y: 20 };

interface Choices {
  blocks: Block[];
  columns: number;
  width: number;
  /** Of each row. */
  heights: number[];
  height: number;
  gap: number;
}

/** Choices in one or two columns; nothing when they do not fit. */
function set(texts: readonly string[], size: number, columns: number, room: { width: number; height: number }): Choices | undefined {
  const gap = 22;
  const width = (room.width - gap * (columns - 1)) / columns;
  const blocks = texts.map((text) =>
    setBlock(text, { face: "read", size, width: width - 2 * inset.x - badge - 20, leading: 1.26, balanced: true }),
  );
  if (!blocks.every((block) => block !== undefined)) return undefined;
  const heights: number[] = [];
  for (let index = 0; index < blocks.length; index += columns) {
    heights.push(Math.max(badge, ...blocks.slice(index, index + columns).map((block) => block.height)) + 2 * inset.y);
  }
  const height = heights.reduce((sum, row) => sum + row + gap, -gap);
  return height <= room.height ? { blocks, columns, width, heights, height, gap } : undefined;
}

/** The closing question and its choices. Which is right is not shown. */
export function placeQuestion(stage: Stage, { question, choices }: SceneContent<"question">): undefined {
  const { body, wide, rtl } = stage;
  const text = wordsOn(stage, question, "read-strong");
  const texts = choices.map((choice) => wordsOn(stage, choice));
  if (stage.findings.length > 0) return;
  const gap = wide ? 44 : 60;
  const made = largest(wide ? 56 : 60, 34, (size) => {
    const head = setBlock(text, { face: "read-strong", size, width: body.width, leading: 1.2, balanced: true });
    if (!head || head.lines.length > (wide ? 4 : 7)) return undefined;
    const room = { width: body.width, height: body.height - head.height - gap };
    const inner = Math.min(wide ? 36 : 40, size - 6);
    const below = (wide ? set(texts, inner, 2, room) : undefined) ?? set(texts, inner, 1, room);
    return below && { head, below };
  });
  if (!made) return refuse(stage, "The question and its choices are too long for the picture.");
  const { head, below } = made;
  const top = body.y + (body.height - head.height - gap - below.height) * (wide ? 0.42 : 0.36);
  putBlock(stage, head, { x: body.x, y: top, width: body.width, part: "question", from: 0, motion: "rise" });
  // Each choice comes when what stands before it has been read, and is written as it can be read.
  const whole = [text, ...texts].reduce((sum, one) => sum + askedSeconds(one), 0);
  const pace = Math.min(1_000, (stage.durationMs - stage.speech.from) / whole);
  let read = stage.speech.from + askedSeconds(text) * pace;
  const times = texts.map((choice) => {
    const from = Math.round(read);
    const writes = Math.round(askedSeconds(choice) * pace);
    read += writes;
    return { from, writes };
  });
  let y = top + head.height + gap;
  below.heights.forEach((height, row) => {
    for (let column = 0; column < below.columns; column++) {
      const index = row * below.columns + column;
      const block = below.blocks[index];
      if (!block) continue;
      const place = rtl ? below.columns - 1 - column : column;
      const card = { x: body.x + place * (below.width + below.gap), y, width: below.width, height };
      putChoice(stage, block, card, index, times[index] ?? { from: 0, writes: 0 });
    }
    y += height + below.gap;
  });
}

function putChoice(stage: Stage, block: Block, card: Box, index: number, { from, writes }: { from: number; writes: number }): void {
  const part = `choice ${index}`;
  putBox(stage, card, { radius: 16, fill: "raised", stroke: "line", strokeWidth: 2 }, { part, from });
  const circle = { x: startX(stage, card, inset.x - 2, badge), y: card.y + (card.height - badge) / 2, width: badge, height: badge };
  putBox(stage, circle, { radius: badge / 2, fill: "accent-wash" }, { part, from });
  const text = (stage.rtl ? letters.arabic : letters.latin)[index] ?? "";
  const size = 26;
  const { advance } = measure(text, "beside-strong", size);
  const x = circle.x + (badge - advance) / 2;
  putLine(stage, { text, face: "beside-strong", size, x, baseline: circle.y + badge / 2 + size * 0.35 }, { colour: "accent", part, from });
  const room = card.width - 2 * inset.x - badge - 20;
  const left = stage.rtl ? card.x + inset.x : card.x + inset.x + badge + 20;
  putBlock(stage, block, {
    x: left,
    y: card.y + (card.height - block.height) / 2,
    width: room,
    part,
    from,
    motion: "wipe",
    writes,
  });
}
