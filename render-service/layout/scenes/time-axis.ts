import type { Box } from "@colloquy/schemas/explainers/placed.ts";
import { rounded } from "@colloquy/schemas/explainers/plane.ts";
import { minTextSize } from "../limits.ts";
import { putLine, refuse, type Stage, startX, wordsOn } from "../stage.ts";
import { measure } from "../text.ts";
import { scaleOf, ticksOf } from "./plot-shapes.ts";

const tickSize = 26;
/** Below the line: its numbers, and what they count. */
export const axisHeight = 84;

/** Of an axis that runs down. */
export const uprightTick = 32;

/** A line from top to bottom at the end of a room, and its numbers before it, under what they count; answers where a value stands on it. */
export function putTimeAxisDown(
  stage: Stage,
  { until, unit }: { until: number; unit: string },
  room: Box,
  named: number,
): (value: number) => number {
  const x = stage.rtl ? room.x : room.x + room.width;
  const side = stage.rtl ? 1 : -1;
  const toY = scaleOf(0, until, room.y, room.y + room.height);
  const marks = marksOf(until, 10);
  const d = [`M${x} ${room.y}V${room.y + room.height}`, ...marks.map((value) => `M${x} ${toY(value)}h${side * 9}`)].join("");
  const box = { x: x - 9, y: room.y, width: 18, height: room.height };
  stage.items.push({ kind: "line", d, width: 2.5, colour: "line-strong", box, part: "axis", from: 0, motion: "still", takes: 0 });
  const put = (text: string, left: number, baseline: number, direction?: "ltr"): void =>
    putLine(
      stage,
      { text, face: "beside", size: uprightTick, x: left, baseline },
      { colour: "ink-soft", part: "axis", from: 0, motion: "still", ...(direction && { direction }) },
    );
  for (const value of marks) {
    const text = rounded(value);
    const { advance } = measure(text, "beside", uprightTick);
    put(text, stage.rtl ? x + 18 : x - 18 - advance, toY(value) + uprightTick * 0.35, "ltr");
  }
  put(unit, startX(stage, room, 0, measure(unit, "beside", uprightTick).advance), named - uprightTick * 0.3);
  return toY;
}

/** Whole numbers, or as they are needed. */
function marksOf(until: number, about: number): number[] {
  const ticks = ticksOf(0, until, about);
  return (ticks?.values ?? []).filter((value) => ticks && (ticks.step >= 1 || Number.isInteger(value)));
}

/** A line at the bottom of a room, from 0 to `until`; answers where a value stands on it. */
export function putTimeAxis(stage: Stage, { until, unit }: { until: number; unit: string }, room: Box): (value: number) => number {
  const right = room.x + room.width;
  const base = room.y + room.height - axisHeight;
  const toX = scaleOf(0, until, room.x, right);
  const plain = { colour: "ink-soft", part: "axis", from: 0, motion: "still", direction: "ltr" } as const;
  const marks = marksOf(until, stage.wide ? 10 : 6);
  const d = [`M${room.x} ${base}H${right}`, ...marks.map((value) => `M${toX(value)} ${base}v9`)].join("");
  const box = { x: room.x, y: base, width: room.width, height: 9 };
  stage.items.push({ kind: "line", d, width: 2.5, colour: "line-strong", box, part: "axis", from: 0, motion: "still", takes: 0 });
  for (const value of marks) {
    const text = rounded(value);
    const { advance } = measure(text, "beside", tickSize);
    putLine(stage, { text, face: "beside", size: tickSize, x: toX(value) - advance / 2, baseline: base + 38 }, plain);
  }
  const name = wordsOn(stage, unit, "beside");
  const { advance } = measure(name, "beside", minTextSize);
  if (advance > room.width) refuse(stage, "The name of the axis is too long.");
  putLine(
    stage,
    { text: name, face: "beside", size: minTextSize, x: right - advance, baseline: base + 74 },
    { colour: "ink-soft", part: "axis", from: 0, motion: "still" },
  );
  return toX;
}
