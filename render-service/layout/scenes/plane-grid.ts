import { applied, determinant, inverse } from "@colloquy/schemas/explainers/plane.ts";
import type { Stage } from "../stage.ts";
import { pathOf, putPath, type View } from "./plane-view.ts";

/** A moving grid is at least so many times as wide and high as its box, with at most so many lines in a direction. */
const reach = { least: 3, lines: 120 };
/** Below this determinant a map leaves so little that no grid could fill the box. */
const leastDeterminant = 0.02;

/** The whole units at the borders of a box around the origin that is so many times as wide and high. */
function bordersOf({ box, origin, unit }: View, times: number) {
  return {
    left: Math.min(-1, Math.floor((box.x - origin.x) / unit)) * times,
    right: Math.max(1, Math.ceil((box.x + box.width - origin.x) / unit)) * times,
    bottom: Math.min(-1, Math.floor((origin.y - box.y - box.height) / unit)) * times,
    top: Math.max(1, Math.ceil((origin.y - box.y) / unit)) * times,
  };
}

/** How often the box a grid must be wide and high, so that no map leaves corners empty. */
function reachOf(view: View): number {
  const { left, right, bottom, top } = bordersOf(view, 1);
  const corners = [left, right].flatMap((x) => [bottom, top].map((y) => ({ x, y })));
  const share = (value: number, low: number, high: number): number => value / (value < 0 ? low : high);
  const shares = view.states
    .filter((state) => Math.abs(determinant(state)) >= leastDeterminant)
    .flatMap((state) => corners.map((corner) => applied(inverse(state), corner)))
    .flatMap(({ x, y }) => [share(x, left, right), share(y, bottom, top)]);
  const most = Math.floor(reach.lines / Math.max(right - left, top - bottom));
  return Math.max(reach.least, Math.min(most, Math.max(...shares.map(Math.ceil))));
}

/** Lines of whole units. */
function gridOf(view: View, times: number): string {
  const { at } = view;
  const { left, right, bottom, top } = bordersOf(view, times);
  const count = (low: number, high: number): number[] => Array.from({ length: high - low + 1 }, (_, index) => low + index);
  const [across, up] = [count(left, right), count(bottom, top)];
  return [
    ...across.map((x) => pathOf([at({ x, y: bottom }), at({ x, y: top })])),
    ...up.map((y) => pathOf([at({ x: left, y }), at({ x: right, y })])),
  ].join("");
}

export function putGrid(stage: Stage, view: View): void {
  const { box, origin, moves } = view;
  putPath(stage, view, gridOf(view, 1), 0, { width: 1.5, colour: "line" });
  putPath(stage, view, `M${box.x} ${origin.y}H${box.x + box.width}M${origin.x} ${box.y}V${box.y + box.height}`, 0, {
    width: 2.5,
    colour: "line-strong",
  });
  if (moves.length === 0) return;
  const first = moves[0]?.from ?? 0;
  putPath(stage, view, gridOf(view, reachOf(view)), Math.max(1, first - 500), { width: 1.8, colour: "accent", moves, takes: 400 });
}
