import { chanceAfter, gapTex, type Interval, intervalsOf, modelTex, stabilityTex } from "@colloquy/schemas/explainers/forgetting.ts";
import type { Box, ColourRole } from "@colloquy/schemas/explainers/placed.ts";
import type { SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";
import { cueAt } from "../cues.ts";
import { calm, putHeading, putLine, refuse, type Stage } from "../stage.ts";
import { setFormula } from "../tex.ts";
import { measure } from "../text.ts";
import { putGlyphs, round } from "./plane-view.ts";
import { scaleOf } from "./plot-shapes.ts";
import { axisHeight, putTimeAxis } from "./time-axis.ts";

type Forgetting = SceneContent<"forgetting">;

const tickSize = 26;
const factSize = 46;
/** How long the curve is drawn: as time that passes. */
const curveTakes = 4_200;
const part = "curve";

interface Axes {
  area: Box;
  toX: (value: number) => number;
  toY: (value: number) => number;
}

/** Where the chances begin: recalls keep them between the target and 1, which would be a narrow strip above 0. */
const bottomOf = ({ target, recalls, marks }: Pick<Forgetting, "target" | "recalls" | "marks">): number =>
  recalls.length > 0 && marks.length === 0 ? Math.max(0, Math.floor(20 * target - 10) / 10) : 0;

function axesOf(stage: Stage, { until, unit, target, recalls, marks }: Forgetting, room: Box): Axes {
  const bottom = bottomOf({ target, recalls, marks });
  const named = recalls.length > 0 ? [bottom, target, 1] : [0, 0.5, 1];
  const texts = named.map((value) => `${Math.round(value * 100)} %`);
  const widest = Math.max(...texts.map((text) => measure(text, "beside", tickSize).advance));
  const area = { x: room.x + widest + 16, y: room.y + 14, width: room.width - widest - 40, height: room.height - 14 - axisHeight };
  const toX = putTimeAxis(stage, { until, unit }, { ...area, height: area.height + axisHeight });
  const toY = scaleOf(bottom, 1, area.y + area.height, area.y);
  named.forEach((value, index) => {
    const text = texts[index] ?? "";
    const y = toY(value);
    const x = area.x - 12 - measure(text, "beside", tickSize).advance;
    putLine(
      stage,
      { text, face: "beside", size: tickSize, x, baseline: y + tickSize * 0.35 },
      { colour: "ink-soft", part: "chances", from: 0, motion: "still", direction: "ltr" },
    );
    if (value === bottom) return;
    const isTarget = value === target && recalls.length > 0;
    putStroke(
      stage,
      `M${area.x} ${y}H${area.x + area.width}`,
      { width: 2, colour: isTarget ? "warn" : "line", from: 0, ...(isTarget && { dash: [10, 8] as [number, number] }) },
      area,
    );
  });
  putStroke(stage, `M${area.x} ${area.y}V${area.y + area.height}`, { width: 2.5, colour: "line-strong", from: 0 }, area);
  return { area, toX, toY };
}

interface Look {
  width: number;
  colour: ColourRole;
  from: number;
  until?: number;
  takes?: number;
  dash?: [number, number];
  fill?: ColourRole;
}
function putStroke(stage: Stage, d: string, { from, takes = 0, ...look }: Look, box: Box): void {
  stage.items.push({ kind: "line", d, box, part, from, takes, motion: takes > 0 && from > 0 ? "draw" : "still", ...look });
}

/** The chance of recalling from one day to another. */
function pathOf({ toX, toY }: Axes, { from, stability }: Interval, to: number): string {
  const count = 80;
  return Array.from({ length: count + 1 }, (_, index) => {
    const time = ((to - from) * index) / count;
    return `${index === 0 ? "M" : "L"}${round(toX(from + time))} ${round(toY(chanceAfter(time, stability)))}`;
  }).join("");
}

/** Formulas one below the other, each with the states that it goes through. */
function putFacts(
  stage: Stage,
  { intervals, times, target }: { intervals: Interval[]; times: number[]; target: number },
  room: Box,
): undefined {
  const states = (texOf: (one: Interval) => string) =>
    intervals.map((one, index) => ({ formula: setFormula(texOf(one)), from: times[index] ?? 0, until: times[index + 1] }));
  const rows = [
    [{ formula: setFormula(modelTex), from: 0, until: undefined }],
    states(stabilityTex),
    ...(intervals.length > 1 ? [states((one) => gapTex(one, target))] : []),
  ];
  const [gap, line] = [30, factSize * 1.25];
  let y = room.y;
  for (const row of rows) {
    const widest = Math.max(...row.map(({ formula }) => formula.right - formula.left)) * factSize;
    if (widest > room.width || y + line > room.y + room.height) return refuse(stage, "The model does not fit beside its curve.");
    const start = stage.wide ? room.x : room.x + (room.width - widest) / 2;
    for (const { formula, from, until } of row) {
      const middle = { x: start + ((formula.right - formula.left) / 2) * factSize, y: y + line / 2 };
      putGlyphs(stage, formula, factSize, middle, {
        colour: "ink",
        from,
        motion: from === 0 ? "still" : "fade",
        part: "facts",
        rim: false,
        ...(until !== undefined && { until }),
      });
    }
    y += line + gap;
  }
}

/** The chance at a time, with lines to both axes. */
function putChance(stage: Stage, { area, toX, toY }: Axes, { stability }: Interval, { at, from }: { at: number; from: number }): void {
  const chance = chanceAfter(at, stability);
  const [x, y, r] = [round(toX(at)), round(toY(chance)), 9];
  const look = { width: 3, colour: "warn", dash: [4, 9], from, takes: 700 } as const;
  putStroke(stage, `M${x} ${area.y + area.height}V${y}H${area.x}`, { ...look, dash: [4, 9] }, area);
  const d = `M${x - r} ${y}A${r} ${r} 0 1 0 ${x + r} ${y}A${r} ${r} 0 1 0 ${x - r} ${y}Z`;
  putStroke(stage, d, { width: 3, colour: "paper", fill: "warn", from: from + 500 }, area);
  const text = `${Math.round(chance * 100)} %`;
  const line = { text, face: "beside-strong", size: 30, x: x + 18, baseline: y - 12 } as const;
  putLine(stage, line, { part, from: from + 500, motion: "fade", direction: "ltr" });
}

/** A memory that fades, and what each recall makes of it. */
export function placeForgetting(stage: Stage, forgetting: Forgetting): undefined {
  const { heading, until, target, cue, recalls } = forgetting;
  putHeading(stage, heading);
  const { body, wide } = stage;
  const beside = wide ? { gap: 40, width: 330 } : { gap: 40, height: 270 };
  const room: Box = wide ? { ...body, width: body.width - 370 } : { ...body, height: Math.min(body.height - 310, body.width * 1.05) };
  const intervals = intervalsOf(forgetting);
  const begins = cueAt(stage, cue);
  const times = [begins, ...recalls.map(({ cue: at }) => cueAt(stage, at))];
  if (intervals.some(({ from }) => from >= until)) return refuse(stage, "A recall lies behind the end of the axis: show more time.");
  if (times.some((time, index) => index > 0 && time < (times[index - 1] ?? 0) + 400))
    return refuse(stage, "A recall comes before the one before it was seen: say more between them.");
  if (stage.findings.length > 0) return;

  const axes = axesOf(stage, forgetting, room);
  const { area, toX, toY } = axes;
  const [first] = intervals;
  const [, firstRecall] = times;
  if (first) {
    const bottom = bottomOf(forgetting);
    const whole = pathOf(axes, first, bottom > 0 ? Math.min(until, -first.stability * Math.log(bottom)) : until);
    const takes = Math.min(curveTakes, stage.durationMs - begins - 300);
    const isOnly = firstRecall === undefined;
    putStroke(
      stage,
      whole,
      { width: 5, colour: "accent", from: begins, takes: begins === 0 ? 0 : takes, ...(!isOnly && { until: firstRecall }) },
      area,
    );
    if (!isOnly) putStroke(stage, whole, { width: 3, colour: "ink-faint", from: firstRecall, dash: [4, 10] }, area);
  }
  intervals.forEach((one, index) => {
    if (intervals.length === 1) return;
    const isLast = index === intervals.length - 1;
    const shown = index === 0 ? (firstRecall ?? 0) : (times[index] ?? 0);
    const next = times[index + 1] ?? stage.durationMs - 300;
    const takes = index === 0 ? 0 : Math.max(300, Math.min(3_200, next - shown));
    putStroke(stage, pathOf(axes, one, isLast ? until : one.from + one.gap), { width: 5, colour: "accent", from: shown, takes }, area);
    if (index === 0) return;
    const x = round(toX(one.from));
    putStroke(stage, `M${x} ${round(toY(target))}V${round(toY(1))}`, { width: 4, colour: "good", from: shown, takes: 300 }, area);
    const [y, r] = [area.y + area.height, 8];
    const dot = `M${x - r} ${y}A${r} ${r} 0 1 0 ${x + r} ${y}A${r} ${r} 0 1 0 ${x - r} ${y}Z`;
    stage.items.push({
      kind: "line",
      d: dot,
      width: 3,
      colour: "paper",
      fill: "good",
      box: { x: x - r, y: y - r, width: 2 * r, height: 2 * r },
      part,
      from: shown,
      motion: "fade",
      takes: calm,
    });
  });
  for (const { at, cue: named } of forgetting.marks) if (first) putChance(stage, axes, first, { at, from: cueAt(stage, named) });
  const facts: Box = wide
    ? { x: room.x + room.width + beside.gap, y: body.y + 30, width: 330, height: body.height - 30 }
    : { x: body.x, y: room.y + room.height + beside.gap, width: body.width, height: body.height - room.height - beside.gap };
  return putFacts(stage, { intervals, times, target }, facts);
}
