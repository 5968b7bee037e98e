import { readExpression } from "@colloquy/schemas/explainers/expression.ts";
import type { ColourRole, LineItem } from "@colloquy/schemas/explainers/placed.ts";
import type { Place } from "@colloquy/schemas/explainers/plane.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { shareAt } from "../../frames/moves.ts";
import { cueAt } from "../cues.ts";
import { quoted, refuse, type Stage } from "../stage.ts";
import { fitMove, type Plane, pathOf, putPath, type View } from "./plane-view.ts";

export type Curve = Plane["curves"][number];

/** When each residual comes: one after the other, in the time there is. */
export function residualTimes(stage: Stage, { residualsCue }: Curve, count: number): number[] {
  const begin = cueAt(stage, residualsCue);
  const apart = Math.max(220, Math.min(1_500, (stage.durationMs - begin - 1_500) / Math.max(1, count)));
  return Array.from({ length: count }, (_, index) => (begin === 0 ? 0 : Math.round(begin + index * apart)));
}

interface CurveFrame {
  share: number;
  from: number;
}

/** The share of the way that a curve has moved at each of its frames, and when; undefined where there is no time for it. */
export function curveFrames(stage: Stage, { becomes }: Curve): CurveFrame[] | undefined {
  if (!becomes) return [];
  const move = fitMove(stage, becomes.cue, { takes: curveTakes, rest: readMs });
  if (!move) return undefined;
  const count = Math.round((move.takes / 1_000) * filmBounds.pictures.perSecond);
  return Array.from({ length: count }, (_, index) => {
    const from = Math.round(move.from + ((index + 1) * move.takes) / count);
    return { share: shareAt(move, from + 1), from };
  });
}
const curveTakes = 4_000;
/** So long what a curve has become is seen with its equation, at least. */
const readMs = 1_300;

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

function curvePath({ box, origin, unit, at }: View, curve: (x: number) => number): string | undefined {
  const samples = Array.from({ length: 121 }, (_, index) => (box.x + (box.width * index) / 120 - origin.x) / unit);
  const places = samples.map((x) => ({ x, y: curve(x) })).filter(({ y }) => Number.isFinite(y) && Math.abs(y) < 1_000);
  return places.length < 12 ? undefined : pathOf(places.map(at));
}

export function putCurve(stage: Stage, view: View, plotted: Curve, index: number, points: readonly Place[]): undefined {
  const { expression, cue, residuals, becomes } = plotted;
  const curve = readExpression(expression);
  const next = becomes ? readExpression(becomes.expression) : null;
  if (!curve || (becomes && !next))
    return refuse(stage, `The expression ${quoted(curve ? (becomes?.expression ?? "") : expression)} cannot be read.`);
  const path = curvePath(view, curve);
  if (!path || (next && !curvePath(view, next))) return refuse(stage, `The expression ${quoted(expression)} has too few values here.`);
  if (residuals !== "none" && [curve, next].some((of) => of && !points.every(({ x }) => Number.isFinite(of(x)))))
    return refuse(stage, `The expression ${quoted(expression)} has no value at one of the points.`);
  const from = cueAt(stage, cue);
  const frames = curveFrames(stage, plotted);
  if (!frames) return refuse(stage, "A curve moves too late to be seen whole: name it earlier.");
  const [first] = frames;
  const square: Pick<LineItem, "width" | "colour" | "fill"> = {
    width: 3,
    colour: "warn",
    ...(residuals === "squares" && { fill: "accent-wash" }),
  };
  const until = first && { until: first.from };
  if (residuals !== "none") {
    const times = residualTimes(stage, plotted, points.length);
    residualPaths(view, curve, plotted, points).forEach((d, place) => {
      const when = times[place] ?? 0;
      if (d) putPath(stage, view, d, when, { ...square, motion: when === 0 ? "still" : "fade", takes: until ? 0 : 900, ...until });
    });
  }
  const look = { width: 5, colour: curveColours[index] ?? "accent" } as const;
  putPath(stage, view, path, from, { ...look, motion: from === 0 ? "still" : "draw", takes: until && from === 0 ? 0 : 1_200, ...until });
  for (const [step, { share, from: begin }] of frames.entries()) {
    const moved = (x: number): number => curve(x) + ((next?.(x) ?? 0) - curve(x)) * share;
    const end = frames[step + 1]?.from;
    const brief = { motion: "still", takes: 0, ...(end !== undefined && { until: end }) } as const;
    const outlines = residuals === "none" ? "" : residualPaths(view, moved, plotted, points).join("");
    if (outlines) putPath(stage, view, outlines, begin, { ...square, ...brief });
    putPath(stage, view, curvePath(view, moved) ?? path, begin, { ...look, ...brief });
  }
}
const curveColours: readonly ColourRole[] = ["accent", "good"];
