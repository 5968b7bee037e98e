import { readExpression } from "@colloquy/schemas/explainers/expression.ts";
import type { Place } from "@colloquy/schemas/explainers/plane.ts";

/** Whether an expression of `x` is the line with the least sum of squared errors, its numbers cut to two decimals. Pure. */
export function isFitted(expression: string, points: readonly Place[]): boolean {
  const curve = readExpression(expression);
  if (!curve || points.length < 2) return false;
  const mean = (of: (point: Place) => number): number => points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)];
  const slope = mean((point) => (point.x - x) * (point.y - y)) / mean((point) => (point.x - x) ** 2);
  const [start, rise] = [curve(0), curve(1) - curve(0)];
  const isLine = [-7.3, -1, 0.37, 2, 9.1].every((at) => Math.abs(curve(at) - (start + rise * at)) < 1e-9);
  return isLine && [0, 1].every((at) => Math.abs(curve(at) - (y + slope * (at - x))) <= 0.011);
}
