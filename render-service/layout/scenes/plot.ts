import { type Expression, readExpression } from "@colloquy/schemas/explainers/expression.ts";
import type { Box, ColourRole } from "@colloquy/schemas/explainers/placed.ts";
import type { SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";
import { fast } from "../../frames/moves.ts";
import { minTextSize } from "../limits.ts";
import { putBlock, putBox, putHeading, putLine, quoted, refuse, revealsOn, type Stage, wordsOn } from "../stage.ts";
import { measure, setBlock } from "../text.ts";
import { curveOf, freePlace, type Point, rangeOf, scaleOf, type Ticks, ticksOf } from "./plot-shapes.ts";

type Plot = SceneContent<"plot">;

/** Told apart by colour and by stroke. */
const looks: { colour: ColourRole; dash?: [number, number] }[] = [
  { colour: "accent" },
  { colour: "warn", dash: [16, 9] },
  { colour: "good", dash: [3, 9] },
];
const curveWidth = 4.5;
/** A curve is drawn while it is spoken of, before the next thing comes. */
const curveTakes = { least: 900, most: 2_600 };
const tickSize = 26;

interface Axes {
  area: Box;
  x: Ticks;
  y: Ticks;
  toX: (value: number) => number;
  toY: (value: number) => number;
}

/** A number as it is named on an axis, in the language of the film. */
function named(stage: Stage, value: number, step: number): string {
  const digits = Math.min(6, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  const text = new Intl.NumberFormat(stage.language, { numberingSystem: "latn", useGrouping: false, maximumFractionDigits: digits }).format(
    Math.abs(value) < step / 1e6 ? 0 : value,
  );
  return text.replace(/[^\d.,-]/gu, "").replace("-", "−");
}

/** The functions of a plot, or the findings about them. */
function functionsOf(stage: Stage, { functions }: Plot): Expression[] {
  return functions.flatMap(({ expression }) => {
    const of = readExpression(expression);
    if (!of) refuse(stage, `The expression ${quoted(expression)} cannot be read.`);
    return of ?? [];
  });
}

/** Axes at the left and below, so that no curve crosses their numbers. */
function axesOf(stage: Stage, { x, yLabel }: Plot, range: { from: number; to: number }, room: Box): Axes | undefined {
  const xTicks = ticksOf(x.from, x.to, stage.wide ? 8 : 5);
  const yTicks = ticksOf(range.from, range.to, 5);
  if (!xTicks || !yTicks) return refuse(stage, "The numbers of the plot are too large, too small or too near to one another to be named.");
  const widest = Math.max(...yTicks.values.map((value) => measure(named(stage, value, yTicks.step), "beside", tickSize).advance));
  const top = yLabel ? 46 : 10;
  const area = {
    x: room.x + widest + 18,
    y: room.y + top,
    width: room.width - widest - 40,
    height: room.height - top - 46 - (x.label ? 38 : 0),
  };
  const toX = scaleOf(x.from, x.to, area.x, area.x + area.width);
  const toY = scaleOf(yTicks.from, yTicks.to, area.y + area.height, area.y);
  return { area, x: xTicks, y: yTicks, toX, toY };
}

function putStroke(stage: Stage, from: Point, to: Point, colour: ColourRole, width: number, at = { part: "axes", from: 0 }): void {
  const box = { x: Math.min(from.x, to.x), y: Math.min(from.y, to.y), width: Math.abs(to.x - from.x), height: Math.abs(to.y - from.y) };
  const d = `M${from.x} ${from.y}L${to.x} ${to.y}`;
  stage.items.push({ kind: "line", d, width, colour, box, ...at, motion: "fade", takes: fast });
}

function putAxes(stage: Stage, { area, x, y, toX, toY }: Axes, labels: { x: string; y: string }): void {
  const bottom = area.y + area.height;
  const right = area.x + area.width;
  const plain = { colour: "ink-soft", part: "axes", from: 0, direction: "ltr" } as const;
  for (const value of y.values) {
    const at = toY(value);
    const text = named(stage, value, y.step);
    const { advance } = measure(text, "beside", tickSize);
    putLine(stage, { text, face: "beside", size: tickSize, x: area.x - 14 - advance, baseline: at + tickSize * 0.35 }, plain);
  }
  for (const value of x.values) {
    const at = toX(value);
    putStroke(stage, { x: at, y: bottom }, { x: at, y: bottom + 8 }, "line-strong", 2);
    const text = named(stage, value, x.step);
    const { advance } = measure(text, "beside", tickSize);
    putLine(stage, { text, face: "beside", size: tickSize, x: at - advance / 2, baseline: bottom + 38 }, plain);
  }
  if (y.from < 0 && y.to > 0) putStroke(stage, { x: area.x, y: toY(0) }, { x: right, y: toY(0) }, "line-strong", 2);
  putStroke(stage, { x: area.x, y: bottom }, { x: right, y: bottom }, "line-strong", 2);
  putStroke(stage, { x: area.x, y: area.y }, { x: area.x, y: bottom }, "line-strong", 2);
  const put = (text: string, top: number, align: "start" | "end") => {
    const block = text ? setBlock(text, { face: "read", size: 26, width: area.width }) : undefined;
    if (text && block?.lines.length !== 1) return refuse(stage, `The name of an axis is too long: ${quoted(text)}`);
    const side = (align === "start") === stage.rtl ? "end" : "start";
    if (block)
      putBlock(stage, block, { x: area.x, y: top, width: area.width, align: side, colour: "ink-soft", part: "axis names", from: 0 });
  };
  put(labels.y, area.y - 44, "start");
  put(labels.x, bottom + 44, "end");
}

interface Drawing extends Axes {
  /** What labels must not lie on. */
  ink: Point[];
  taken: Box[];
}

/** From a point to its label, near first; a label farther away than `near` is joined to its point by a line. */
const distances = [16, 34, 60, 96];
const nearBy = 40;

/** Puts a label near one of some places where nothing else is, rather in two lines than far away; a finding when there is no such place. */
function putNear(
  stage: Stage,
  drawing: Drawing,
  text: string,
  places: readonly Point[],
  look: { colour: ColourRole; part: string; from: number },
): undefined {
  const wide = stage.wide ? 340 : 260;
  const blocks = [28, minTextSize].flatMap((size) =>
    [wide, wide / 2].flatMap((width) => setBlock(text, { face: "read", size, width, leading: 1.22, balanced: true }) ?? []),
  );
  for (const away of distances) {
    for (const block of blocks) {
      const box = freePlace(block, places, away, drawing);
      if (!box) continue;
      const { near, ...room } = box;
      const [start, end] = leader(near, room);
      const along = Array.from({ length: 25 }, (_, step) => ({
        x: start.x + ((end.x - start.x) * step) / 24,
        y: start.y + ((end.y - start.y) * step) / 24,
      }));
      const joined = away > nearBy;
      if (joined && along.some((point) => drawing.taken.some((other) => within(point, other)))) continue;
      drawing.taken.push(room);
      if (joined) {
        drawing.ink.push(...along);
        putStroke(stage, start, end, "ink-soft", 2, { part: look.part, from: look.from });
      }
      putBlock(stage, block, { ...room, align: "centre", ...look });
      return;
    }
  }
  return refuse(stage, `There is no free place in the plot for the label ${quoted(text)}`);
}

/** Where the line from a point to its label begins and ends: beside the dot, and at the nearest corner or side of the label. */
function leader(point: Point, { x, y, width, height }: Box): [Point, Point] {
  const end = { x: Math.min(Math.max(point.x, x - 6), x + width + 6), y: Math.min(Math.max(point.y, y - 2), y + height + 2) };
  const share = 13 / Math.max(13, Math.hypot(end.x - point.x, end.y - point.y));
  return [{ x: point.x + (end.x - point.x) * share, y: point.y + (end.y - point.y) * share }, end];
}
const within = (point: Point, { x, y, width, height }: Box): boolean =>
  point.x > x - 4 && point.x < x + width + 4 && point.y > y - 4 && point.y < y + height + 4;

/** Lines across the plot at the numbers of its y axis, left out around labels; they lie below everything from `at` on. */
function putGrid(stage: Stage, { area, y, toY, taken }: Drawing, at: number): void {
  const above = stage.items.splice(at);
  for (const value of y.values) {
    const height = toY(value);
    const gaps = taken.filter((box) => height > box.y - 5 && height < box.y + box.height + 5).sort((one, other) => one.x - other.x);
    let from = area.x;
    for (const gap of [...gaps, { x: area.x + area.width + 10, width: 0 }]) {
      if (gap.x - 10 > from) putStroke(stage, { x: from, y: height }, { x: gap.x - 10, y: height }, "line", 1.5);
      from = gap.x + gap.width + 10;
    }
  }
  stage.items.push(...above);
}

/** Curves of functions, drawn while they are spoken of, with their names and named places. */
export function placePlot(stage: Stage, plot: Plot): undefined {
  putHeading(stage, plot.heading);
  const { x, marks } = plot;
  const names = plot.functions.map(({ label }) => wordsOn(stage, label));
  const markNames = marks.map(({ label }) => wordsOn(stage, label));
  const axisNames = { x: wordsOn(stage, x.label), y: wordsOn(stage, plot.yLabel) };
  if (!(x.from < x.to)) return refuse(stage, "The plot's x axis ends before it begins.");
  if (marks.some((mark) => mark.x < x.from || mark.x > x.to)) return refuse(stage, "A mark of the plot lies beside its x axis.");
  const functions = functionsOf(stage, plot);
  if (stage.findings.length > 0) return;
  const range = rangeOf(functions, x);
  const empty = plot.functions.find((_, index) => !range?.drawable[index]);
  if (empty || !range)
    return refuse(stage, `The expression ${quoted(empty?.expression ?? "")} has too few values between ${x.from} and ${x.to}.`);
  const room = stage.wide ? stage.body : { ...stage.body, height: Math.min(stage.body.height, 760) };
  const axes = axesOf(stage, plot, range, room);
  if (!axes) return;
  const first = stage.items.length;
  putAxes(stage, axes, axisNames);

  const drawing: Drawing = { ...axes, ink: [], taken: [] };
  const times = revealsOn(stage, [...names, ...markNames]);
  const takesOf = (index: number): number => {
    const room = (times[index + 1] ?? stage.durationMs - 900) - (times[index] ?? 0);
    return Math.max(curveTakes.least, Math.min(curveTakes.most, room));
  };
  const curves = functions.map((of) => curveOf(of, x, axes));
  for (const { samples } of curves) drawing.ink.push(...samples);
  if (axes.y.from < 0 && axes.y.to > 0) {
    for (let across = axes.area.x; across < axes.area.x + axes.area.width; across += 8) drawing.ink.push({ x: across, y: axes.toY(0) });
  }
  const marked = marks.map((mark) => {
    const at = functions.map((of) => axes.toY(of(mark.x))).find((y) => y >= axes.area.y - 0.5 && y <= axes.area.y + axes.area.height + 0.5);
    return at === undefined ? undefined : { x: axes.toX(mark.x), y: at };
  });
  if (marked.includes(undefined)) return refuse(stage, "A mark of the plot lies where no curve is.");
  const bottom = axes.area.y + axes.area.height;
  for (const point of marked) {
    if (!point) continue;
    for (let y = point.y; y < bottom; y += 5) drawing.ink.push({ x: point.x, y });
    drawing.ink.push({ x: point.x - 9, y: point.y }, { x: point.x + 9, y: point.y });
  }

  curves.forEach(({ pieces }, index) => {
    const { colour, dash } = looks[index] ?? { colour: "ink" };
    const from = times[index] ?? 0;
    for (const { d, box } of pieces) {
      const line = {
        kind: "line",
        d,
        width: curveWidth,
        colour,
        box,
        part: `curve ${index}`,
        from,
        motion: "draw",
        takes: takesOf(index),
      } as const;
      stage.items.push({ ...line, ...(dash && { dash }) });
    }
  });
  marked.forEach((point, index) => {
    if (!point) return;
    const from = times[names.length + index] ?? 0;
    const part = `mark ${index}`;
    const dropped = { x: point.x, y: point.y, width: 0, height: bottom - point.y };
    const d = `M${point.x} ${point.y}V${bottom}`;
    const look = { kind: "line", width: 2, colour: "ink-soft", dash: [5, 7], part, from, motion: "fade", takes: fast } as const;
    if (bottom - point.y > 4) stage.items.push({ ...look, dash: [5, 7], d, box: dropped });
    putBox(
      stage,
      { x: point.x - 8, y: point.y - 8, width: 16, height: 16 },
      { radius: 8, fill: "ink", stroke: "paper", strokeWidth: 3 },
      { part, from },
    );
    putNear(stage, drawing, markNames[index] ?? "", [point], { colour: "ink", part, from });
  });
  names.forEach((name, index) => {
    const { colour } = looks[index] ?? { colour: "ink" };
    const places = curves[index]?.samples ?? [];
    const far = [0.88, 0.75, 0.6, 0.95, 0.45, 0.3, 0.15, 0.05].flatMap((share) => places[Math.floor(share * (places.length - 1))] ?? []);
    if (name) putNear(stage, drawing, name, far, { colour, part: `curve ${index}`, from: (times[index] ?? 0) + takesOf(index) / 2 });
  });
  putGrid(stage, drawing, first);
}
