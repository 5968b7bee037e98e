import { isShort } from "@colloquy/schemas/explainers/inequality.ts";
import type { Affine, Box, ColourRole, Item, LineItem, Move } from "@colloquy/schemas/explainers/placed.ts";
import { rounded } from "@colloquy/schemas/explainers/plane.ts";
import { calm, putLine, refuse, type Stage } from "../stage.ts";
import type { Formula } from "../tex.ts";
import { measure } from "../text.ts";
import { scaleOf, ticksOf } from "./plot-shapes.ts";

const tickSize = 26;
/** Below the line: its numbers, and those between them. */
export const axisHeight = 100;
/** So far the line goes on beyond the numbers that it shows. */
export const beyondEnds = 26;
export const part = "line";

/** What is to be seen in the end: so near to a value. */
export interface Zoom {
  middle: number;
  radius: number;
  from: number;
  takes: number;
}
export interface Axis {
  left: number;
  right: number;
  y: number;
  toX: (value: number) => number;
  /** Of everything that stands on the line. */
  clip: Box;
  zoom?: Zoom & { move: Move; isSeen: (value: number) => boolean };
}
/** A number of the line that something is about. */
export interface NamedNumber {
  value: number;
  from: number;
  colour: ColourRole;
}

/** A formula above the line, and what it turns into: one at a time, each from its left. */
export interface Fact {
  colour: ColourRole;
  states: { formula: Formula; from: number; until?: number }[];
}
export function axisOf(stage: Stage, { from, to }: { from: number; to: number }, y: number, zoom?: Zoom): Axis {
  const { body } = stage;
  const inset = beyondEnds + 22;
  const [left, right] = [body.x + inset, body.x + body.width - inset];
  const toX = scaleOf(from, to, left, right);
  const axis = { left, right, y, toX, clip: { ...body, y: stage.safe.y, height: stage.safe.height } };
  if (!zoom) return axis;
  const { middle, radius, ...when } = zoom;
  const times = (to - from) / (2 * radius);
  const affine: Affine = [times, 0, 0, 1, (left + right) / 2 - times * toX(middle), 0];
  return { ...axis, zoom: { ...zoom, move: { ...when, to: affine }, isSeen: (value) => Math.abs(value - middle) <= radius * 1.0001 } };
}

/** Carries an item along when the line is seen from nearer: it keeps its size. */
export const carried = ({ zoom, clip }: Axis, x: number): Pick<Item, "moves" | "beyond" | "clip"> =>
  zoom ? { moves: [zoom.move], beyond: { origin: { x: x - 1, y: 0 }, tip: { x, y: 0 }, away: 0 }, clip } : {};

export interface Look {
  width: number;
  colour: ColourRole;
  from: number;
  takes?: number;
}
export function putStroke(stage: Stage, d: string, box: Box, look: Look & Partial<LineItem>): void {
  stage.items.push({ kind: "line", d, box, part, motion: look.from === 0 ? "still" : "fade", takes: look.from === 0 ? 0 : calm, ...look });
}

/** A round mark: filled, or hollow for a number that does not belong to what ends there. */
export function putDot(
  stage: Stage,
  { x, y, r, isFilled }: { x: number; y: number; r: number; isFilled: boolean },
  { colour, ...look }: Omit<Look, "width"> & Partial<LineItem>,
): void {
  const d = `M${x - r} ${y}A${r} ${r} 0 1 0 ${x + r} ${y}A${r} ${r} 0 1 0 ${x - r} ${y}Z`;
  const box = { x: x - r, y: y - r, width: 2 * r, height: 2 * r };
  putStroke(stage, d, box, { width: 5, colour, fill: isFilled ? colour : "paper", ...look });
}

const shownAs = (value: number): string => `${isShort(value) ? "" : "≈ "}${rounded(value)}`.replace("-", "−");

function putNumber(
  stage: Stage,
  axis: Axis,
  value: number,
  text: string,
  look: { strong?: ColourRole; from: number; until?: number; row: number },
): void {
  const { strong, from, until, row } = look;
  const face = strong ? "beside-strong" : "beside";
  const size = strong ? tickSize + 4 : tickSize;
  const { advance } = measure(text, face, size);
  const x = axis.toX(value);
  putLine(
    stage,
    { text, face, size, x: x - advance / 2, baseline: axis.y + 51 + row * 36 },
    {
      colour: strong ?? "ink-soft",
      part,
      from,
      motion: from === 0 ? "still" : "fade",
      direction: "ltr",
      ...(until !== undefined && { until }),
    },
  );
  const item = stage.items.at(-1);
  if (item) Object.assign(item, carried(axis, x));
}

function putTicks(stage: Stage, axis: Axis, values: readonly number[], look: { from: number; until?: number }): void {
  for (const value of values) {
    const x = axis.toX(value);
    const box = { x: x - 1, y: axis.y - 8, width: 2, height: 16 };
    putStroke(stage, `M${x} ${axis.y - 8}v16`, box, { width: 2.5, colour: "line-strong", ...look, ...carried(axis, x) });
  }
}

/** The line, its numbers, and those that something is about from when it is shown: on their tick, or below the others. */
export function putAxis(stage: Stage, line: { from: number; to: number }, axis: Axis, named: readonly NamedNumber[]): undefined {
  const { left, right, y, zoom } = axis;
  const tips = [
    { from: (left + right) / 2, x: right + beyondEnds + 16, angle: 0 },
    { from: (left + right) / 2, x: left - beyondEnds - 16, angle: Math.PI },
  ];
  for (const { from, x, angle } of tips) {
    const box = { x: Math.min(from, x), y: y - 8, width: Math.abs(x - from), height: 16 };
    putStroke(stage, `M${from} ${y}H${x}`, box, { width: 3, colour: "ink-soft", from: 0, tip: { x, y, angle } });
  }
  const ticks = ticksOf(line.from, line.to, stage.wide ? 12 : 7);
  if (!ticks) return refuse(stage, "The numbers of the line are too large, too small or too near to each other.");
  const leaves = zoom && { until: zoom.from + 200 };
  putTicks(stage, axis, ticks.values, { from: 0 });
  const firstOf = new Map<string, NamedNumber>();
  for (const one of named) {
    const before = firstOf.get(shownAs(one.value));
    if (!before || one.from < before.from) firstOf.set(shownAs(one.value), one);
  }
  const isOn = (value: number, other: number): boolean => Math.abs(value - other) < ticks.step * 1e-6;
  for (const value of ticks.values) {
    const own = [...firstOf.values()].find((one) => isOn(one.value, value));
    if (own?.from === 0) continue;
    putNumber(stage, axis, value, shownAs(value), { from: 0, row: 0, ...leaves, ...(own && { until: own.from }) });
  }
  const between: { text: string; x: number }[] = [];
  for (const [text, { value, from, colour }] of firstOf) {
    const isTick = ticks.values.some((tick) => isOn(tick, value));
    if (!isTick) {
      const x = axis.toX(value);
      between.push({ text, x });
      putStroke(stage, `M${x} ${y}v56`, { x, y, width: 1, height: 56 }, { width: 2, colour, from, dash: [2, 7], ...carried(axis, x) });
    }
    const isKept = zoom?.middle === value;
    putNumber(stage, axis, value, text, { strong: colour, from, row: isTick ? 0 : 1, ...(!isKept && leaves) });
  }
  checkApart(stage, between);
  if (!zoom) return;
  const near = ticksOf(zoom.middle - zoom.radius, zoom.middle + zoom.radius, stage.wide ? 8 : 4);
  if (!near) return refuse(stage, "The line is seen from too near for its numbers.");
  const decimals = Math.max(0, -Math.floor(Math.log10(near.step) + 1e-9));
  const from = zoom.from + zoom.takes * 0.6;
  putTicks(stage, axis, near.values, { from });
  for (const value of near.values) {
    if (Math.abs(value - zoom.middle) < near.step * 1e-6) continue;
    putNumber(stage, axis, value, value.toFixed(decimals).replace("-", "−"), { from, row: 0 });
  }
}

function checkApart(stage: Stage, texts: readonly { text: string; x: number }[]): void {
  const sorted = texts.toSorted((one, other) => one.x - other.x);
  sorted.forEach(({ text, x }, index) => {
    const next = sorted[index + 1];
    const half = (of: string): number => measure(of, "beside-strong", tickSize + 4).advance / 2;
    if (next && next.x - x < half(text) + half(next.text) + 8)
      refuse(stage, `The numbers ${text} and ${next.text} would lie on one another: show less of the line.`);
  });
}
