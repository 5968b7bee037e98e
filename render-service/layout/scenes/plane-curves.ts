import { type Expression, hasLetter, readExpression } from "@colloquy/schemas/explainers/expression.ts";
import type { ColourRole, LineItem } from "@colloquy/schemas/explainers/placed.ts";
import type { Place } from "@colloquy/schemas/explainers/plane.ts";
import { cueAt } from "../cues.ts";
import { quoted, refuse, type Stage } from "../stage.ts";
import { breakOf } from "./plane-breaks.ts";
import { type State, sharesOf, shownFrom, untilOf } from "./plane-motion.ts";
import { type Plane, pathOf, putPath, type View } from "./plane-view.ts";

export type Curve = Plane["curves"][number];

/** When a curve begins to move; undefined for one that stays. */
const movesFrom = (states: readonly State<Expression>[]): number | undefined => states[1]?.from;

/** When each residual comes: one after the other, in the time there is before the curve moves or the scene ends. */
export function residualTimes(stage: Stage, { residualsCue }: Curve, states: readonly State<Expression>[], count: number): number[] {
  const begin = cueAt(stage, residualsCue);
  const end = movesFrom(states) ?? stage.durationMs - 1_500;
  const apart = Math.max(220, Math.min(1_500, (end - begin) / Math.max(1, count)));
  return Array.from({ length: count }, (_, index) => (begin === 0 ? 0 : Math.round(begin + index * apart)));
}

/** A curve as it moves: to another expression, or with the parameter. Null where an expression cannot be read. */
export function curveStates(stage: Stage, { letters }: View, { expression, becomes }: Curve): State<Expression>[] | null {
  const [first] = letters;
  const curve = readExpression(expression, "x", first?.value);
  if (!curve) return null;
  if (!becomes && !Object.keys(first?.value ?? {}).some((letter) => hasLetter(expression, letter))) return [{ value: curve, from: 0 }];
  if (!becomes) return letters.map((state) => ({ ...state, value: readExpression(expression, "x", state.value) ?? curve }));
  const next = readExpression(becomes.expression, "x", first?.value);
  if (!next) return null;
  const shares = sharesOf(stage, becomes.cue);
  if (!shares) refuse(stage, "A curve moves too late to be seen whole: name it earlier.");
  const start = shares?.[0]?.from;
  return [
    { value: curve, from: 0, ...(start !== undefined && { until: start }) },
    ...(shares ?? []).map((state) => ({ ...state, value: (x: number) => curve(x) + (next(x) - curve(x)) * state.value })),
  ];
}

/** The squares or lines between points and a curve, as outlines; none for a point on the curve. */
function residualPaths(view: View, curve: (x: number) => number, { residuals }: Curve, points: readonly Place[]): string[] {
  return points.map((point) => {
    const foot = { x: point.x, y: curve(point.x) };
    const distance = point.y - foot.y;
    if (Math.abs(distance) < 1e-9) return "";
    if (residuals === "lines") return pathOf([point, foot].map(view.at));
    // To the side on which the curve is not.
    const side = distance > 0 ? -Math.abs(distance) : Math.abs(distance);
    return pathOf([point, foot, { x: foot.x + side, y: foot.y }, { x: point.x + side, y: point.y }].map(view.at), true);
  });
}

const isDrawable = (y: number): boolean => Number.isFinite(y) && Math.abs(y) < 1_000;

/** Where a curve begins or ends to have values, between a place with one and a place without. */
function edgeOf(curve: Expression, within: number, without: number): Place {
  let [inner, outer] = [within, without];
  for (let step = 0; step < 24; step += 1) {
    const middle = (inner + outer) / 2;
    if (isDrawable(curve(middle))) inner = middle;
    else outer = middle;
  }
  return { x: inner, y: curve(inner) };
}

/** A curve behind the first of some places, towards a break: as far as it is drawn. */
function approach(curve: Expression, places: readonly number[]): Place[] {
  const far = places.findIndex((x) => !isDrawable(curve(x)));
  const drawn = places.slice(1, far < 0 ? undefined : far).map((x) => ({ x, y: curve(x) }));
  const [last, beyond] = [places[far - 1], places[far]];
  return last === undefined || beyond === undefined ? drawn : [...drawn, edgeOf(curve, last, beyond)];
}

/** Between two places, the largest step of a drawn curve, in pixels. */
const smooth = 1;

/** A curve in as many pieces as it has: broken at poles and jumps, and drawn to the ends of where it has values. */
function curvePath({ box, origin, unit, at }: View, curve: Expression): string | undefined {
  const samples = Array.from({ length: 121 }, (_, index) => (box.x + (box.width * index) / 120 - origin.x) / unit);
  const [top = 0, bottom = 0] = [box.y, box.y + box.height].map((y) => (origin.y - y) / unit);
  const isUnseen = (one: number, other: number): boolean => Math.min(one, other) > top || Math.max(one, other) < bottom;
  const isSuspect = (one: number, other: number): boolean =>
    !isUnseen(one, other) && (Math.abs(one - other) * unit > 2 * smooth || Math.sign(one) * Math.sign(other) < 0);
  const pieces: Place[][] = [];
  let count = 0;
  for (const [index, x] of samples.entries()) {
    const y = curve(x);
    const before = samples[index - 1];
    const was = before === undefined ? Number.NaN : curve(before);
    if (!isDrawable(y)) {
      if (before !== undefined && isDrawable(was)) pieces.at(-1)?.push(edgeOf(curve, before, x));
      continue;
    }
    count += 1;
    if (before === undefined) pieces.push([]);
    else if (!isDrawable(was)) pieces.push([edgeOf(curve, x, before)]);
    else if (isSuspect(was, y)) {
      const broken = breakOf(curve, [before, x], smooth / unit);
      if (broken) {
        pieces.at(-1)?.push(...approach(curve, broken.before));
        pieces.push(approach(curve, broken.after.toReversed()).toReversed());
      }
    }
    pieces.at(-1)?.push({ x, y });
  }
  return count < 12 ? undefined : pieces.map((places) => pathOf(places.map(at))).join("");
}

export function putCurve(stage: Stage, view: View, plotted: Curve, index: number, points: readonly Place[]): undefined {
  const { expression, cue, residuals, becomes } = plotted;
  const states = curveStates(stage, view, plotted);
  if (!states)
    return refuse(stage, `The expression ${quoted(becomes ? `${expression} or ${becomes.expression}` : expression)} cannot be read.`);
  if (stage.findings.length > 0) return;
  const ends = [states[0], states.at(-1)].flatMap((state) => state?.value ?? []);
  if (ends.some((curve) => !curvePath(view, curve))) return refuse(stage, `The expression ${quoted(expression)} has too few values here.`);
  if (residuals !== "none" && ends.some((curve) => !points.every(({ x }) => Number.isFinite(curve(x)))))
    return refuse(stage, `The expression ${quoted(expression)} has no value at one of the points.`);
  const from = cueAt(stage, cue);
  const square: Pick<LineItem, "width" | "colour" | "fill"> = {
    width: 3,
    colour: "warn",
    ...(residuals === "squares" && { fill: "accent-wash" }),
  };
  const [first, ...moved] = states;
  const until = first?.until !== undefined && { until: first.until };
  if (residuals !== "none" && first) {
    const times = residualTimes(stage, plotted, states, points.length);
    if ((times.at(-1) ?? 0) > (movesFrom(states) ?? stage.durationMs))
      return refuse(stage, `The residuals of the curve ${quoted(expression)} appear after it begins to move: name them earlier.`);
    residualPaths(view, first.value, plotted, points).forEach((d, place) => {
      const when = times[place] ?? 0;
      if (d) putPath(stage, view, d, when, { ...square, motion: when === 0 ? "still" : "fade", takes: until ? 0 : 900, ...until });
    });
    for (const { value, ...seen } of moved) {
      const outlines = residualPaths(view, value, plotted, points).join("");
      if (outlines) putPath(stage, view, outlines, seen.from, { ...square, motion: "still", takes: 0, ...untilOf(seen) });
    }
  }
  const look = { width: 5, colour: curveColours[index] ?? "accent" } as const;
  for (const { value, from: begins, ...seen } of shownFrom(states, from, { motion: "draw", takes: 1_200 })) {
    const path = curvePath(view, value);
    if (path) putPath(stage, view, path, begins, { ...look, motion: seen.motion, takes: seen.takes, ...untilOf(seen) });
  }
}
const curveColours: readonly ColourRole[] = ["accent", "good"];
