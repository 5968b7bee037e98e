import type { Box } from "@colloquy/schemas/explainers/placed.ts";
import { rounded } from "@colloquy/schemas/explainers/plane.ts";
import { minTextSize } from "../limits.ts";
import { putLine, refuse, type Stage, wordsOn } from "../stage.ts";
import { measure } from "../text.ts";
import { scaleOf, ticksOf } from "./plot-shapes.ts";

const tickSize = 26;
/** Below the line: its numbers, and what they count. */
export const axisHeight = 84;

/** A line at the bottom of a room, from 0 to `until`; answers where a value stands on it. */
export function putTimeAxis(stage: Stage, { until, unit }: { until: number; unit: string }, room: Box): (value: number) => number {
  const right = room.x + room.width;
  const base = room.y + room.height - axisHeight;
  const toX = scaleOf(0, until, room.x, right);
  const plain = { colour: "ink-soft", part: "axis", from: 0, motion: "still", direction: "ltr" } as const;
  const ticks = ticksOf(0, until, stage.wide ? 10 : 6);
  const marks = (ticks?.values ?? []).filter((value) => ticks && (ticks.step >= 1 || Number.isInteger(value)));
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
