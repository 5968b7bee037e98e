import type { Box } from "@colloquy/schemas/explainers/placed.ts";
import type { SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";
import { fast } from "../../frames/moves.ts";
import { minTextSize } from "../limits.ts";
import { putBlock, putBox, refuse, revealsOn, type Stage, wordsOn } from "../stage.ts";
import { type Block, largest, measure, setBlock } from "../text.ts";

interface Message {
  from: number;
  to: number;
  block: Block | undefined;
  /** Below the heads: where its arrow runs and where its label begins. */
  arrowY: number;
  labelY: number;
}
interface Sequence {
  heads: Block[];
  headHeight: number;
  /** Where the lines of life run, from the left of the room. */
  middles: number[];
  messages: Message[];
  /** From the heads down. */
  height: number;
}

/** How long a message is under way. */
const messageTakes = 700;
const padding = 12;
const gap = 12;
const loop = { width: 34, height: 30 };

/** Heads and messages in one size; nothing when they do not fit. */
function set(
  stage: Stage,
  labels: readonly string[],
  messages: readonly { from: number; to: number; label: string }[],
  size: number,
): Sequence | undefined {
  const { width, height } = stage.body;
  const share = width / labels.length;
  const heads: Block[] = [];
  for (const label of labels) {
    const longest = Math.max(...label.split(" ").map((word) => measure(word, "read", size).advance));
    const block = setBlock(label, {
      face: "read",
      size,
      width: Math.max(longest + 1, share - 2 * padding - gap),
      leading: 1.2,
      balanced: true,
    });
    if (!block || block.lines.length > 3) return undefined;
    heads.push(block);
  }
  const needs = heads.map((block) => Math.max(block.width + 2 * padding, 96) + gap);
  const free = (width - needs.reduce((sum, need) => sum + need, 0)) / labels.length;
  if (free < 0) return undefined;
  const middles = needs.map((need, index) => needs.slice(0, index).reduce((sum, before) => sum + before + free, 0) + (need + free) / 2);
  const middle = (index: number) => middles[index] ?? 0;
  const headHeight = Math.max(...heads.map((block) => block.height)) + 2 * padding;
  let y = headHeight + 18;
  const made: Message[] = [];
  for (const { from, to, label } of messages) {
    const right = from + 1 < labels.length ? middle(from + 1) : width;
    const span = from === to ? right - middle(from) - loop.width - 24 : Math.abs(middle(to) - middle(from)) - 32;
    if (span < 40) return undefined;
    const block = label
      ? setBlock(label, { face: "beside", size: Math.max(minTextSize, size - 4), width: span, leading: 1.2, balanced: true })
      : undefined;
    if (label && !block) return undefined;
    const tall = block?.height ?? 0;
    if (from === to) {
      const room = Math.max(tall, loop.height);
      made.push({ from, to, block, labelY: y + (room - tall) / 2, arrowY: y + (room - loop.height) / 2 });
      y += room + 18;
    } else {
      made.push({ from, to, block, labelY: y, arrowY: y + tall + 8 });
      y += tall + 30;
    }
  }
  return y <= height ? { heads, headHeight, middles, messages: made, height: y } : undefined;
}

/** Who says what to whom, from top to bottom: a head and a line of life for each, an arrow for each message. */
export function placeSequence(stage: Stage, { nodes, edges }: SceneContent<"diagram">): undefined {
  const labels = nodes.map(({ label }) => wordsOn(stage, label));
  const place = (key: string) => {
    const index = nodes.findIndex((node) => node.key === key);
    return stage.rtl ? nodes.length - 1 - index : index;
  };
  const told = edges.map(({ from, to, label }) => ({ from: place(from), to: place(to), label: wordsOn(stage, label, "beside") }));
  if (stage.findings.length > 0) return;
  const ordered = stage.rtl ? labels.toReversed() : labels;
  const made = largest(32, minTextSize, (size) => set(stage, ordered, told, size));
  if (!made) return refuse(stage, `${nodes.length} who take part and ${edges.length} messages do not fit the picture.`);

  const { body } = stage;
  const middles = made.middles.map((middle) => body.x + middle);
  const middle = (index: number) => middles[index] ?? 0;
  // What room is left goes between the messages.
  const spread = Math.min(stage.wide ? 26 : 44, (body.height - made.height) / (edges.length + 1));
  const top = body.y + Math.max(0, (body.height - made.height - spread * (edges.length + 1)) * 0.3);
  const at = (y: number, index: number) => top + y + spread * (index + 1);
  const bottom = top + made.height + spread * (edges.length + 1);
  const times = revealsOn(
    stage,
    told.map(({ label }) => label),
  );

  const crossing: Box[] = [];
  made.messages.forEach(({ from, to, block, arrowY, labelY }, index) => {
    const part = `message ${index}`;
    const when = times[index] ?? 0;
    const y = at(arrowY, index);
    const [start, end] = [middle(from), middle(to)];
    const head = to > from ? 1 : -1;
    const d =
      from === to
        ? `M${start} ${y}h${loop.width - 10}q10 0 10 10v${loop.height - 20}q0 10 -10 10H${start + 9}`
        : `M${start} ${y}H${end - 9 * head}`;
    const box =
      from === to
        ? { x: start, y, width: loop.width, height: loop.height }
        : { x: Math.min(start, end), y, width: Math.abs(end - start), height: 0 };
    const tip = from === to ? { x: start + 1, y: y + loop.height, angle: Math.PI } : { x: end - head, y, angle: head > 0 ? 0 : Math.PI };
    stage.items.push({ kind: "line", d, width: 2.5, colour: "accent", tip, box, part, from: when, motion: "draw", takes: messageTakes });
    if (!block) return;
    const x = from === to ? start + loop.width + 12 : (start + end) / 2 - block.width / 2;
    crossing.push({ x, y: at(labelY, index), width: block.width, height: block.height });
    putBlock(stage, block, { x, y: at(labelY, index), width: block.width, align: "centre", part, from: when });
  });
  made.heads.forEach((block, index) => {
    const width = Math.max(block.width + 2 * padding, 96);
    const box = { x: middle(index) - width / 2, y: top, width, height: made.headHeight };
    putLife(stage, { column: index, middles, top: top + made.headHeight, bottom }, crossing);
    putBox(stage, box, { radius: 12, fill: "raised", stroke: "line-strong", strokeWidth: 2 }, { part: `head ${index}`, from: 0 });
    const y = top + (made.headHeight - block.height) / 2;
    putBlock(stage, block, { x: box.x, y, width, align: "centre", part: `head ${index}`, from: 0 });
  });
}

interface Life {
  column: number;
  middles: readonly number[];
  top: number;
  bottom: number;
}

/** A line of life, left out where labels lie across it. */
function putLife(stage: Stage, { column, middles, top, bottom }: Life, labels: readonly Box[]): void {
  const x = middles[column] ?? 0;
  let from = top;
  const put = (to: number): void => {
    if (to - from < 4) return;
    const box = { x, y: from, width: 0, height: to - from };
    const d = `M${x} ${from}V${to}`;
    stage.items.push({
      kind: "line",
      d,
      width: 2,
      colour: "line-strong",
      box,
      part: `life ${column}`,
      from: 0,
      motion: "fade",
      takes: fast,
    });
  };
  for (const label of labels) {
    if (x < label.x - 8 || x > label.x + label.width + 8) continue;
    put(label.y - 2);
    from = label.y + label.height + 2;
  }
  put(bottom);
}
