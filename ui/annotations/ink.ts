import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Stroke } from "@colloquy/schemas/sync/changes.ts";
import { getStroke } from "perfect-freehand";

/** Encoding and outlines of strokes. Pure; lengths are thousandths of the inline size of the stroke's block. */

/** x, y and pressure (0 to 1). */
export type Point = readonly [x: number, y: number, pressure: number];

/** Units per inline size of a block. */
export const unit = 1_000;
/** Coordinates are clamped to this, so that no difference between two exceeds the bound. */
export const maxCoordinate = bounds.annotation.inkReach / 2;
/** The pressure of a pointer without a sensor; the width then follows speed. */
const noPressure = 128;

const clamp = (value: number, most: number): number => Math.max(-most, Math.min(most, Math.round(value)));

/** Delta-encodes points for storage. Coordinates are clamped, surplus points dropped. */
export function encodePoints(points: readonly Point[]): number[] {
  const encoded: number[] = [];
  let [lastX, lastY, lastPressure] = [0, 0, 0];
  for (const [x, y, pressure] of points.slice(0, bounds.annotation.strokePoints)) {
    const next = [clamp(x, maxCoordinate), clamp(y, maxCoordinate), Math.max(0, Math.min(255, Math.round(pressure * 255)))] as const;
    encoded.push(next[0] - lastX, next[1] - lastY, next[2] - lastPressure);
    [lastX, lastY, lastPressure] = next;
  }
  return encoded;
}

export function decodePoints(encoded: readonly number[]): Point[] {
  const points: Point[] = [];
  let [x, y, pressure] = [0, 0, 0];
  for (let index = 0; index + 2 < encoded.length; index += 3) {
    x += encoded[index] ?? 0;
    y += encoded[index + 1] ?? 0;
    pressure += encoded[index + 2] ?? 0;
    points.push([x, y, pressure / 255]);
  }
  return points;
}

/** Drops points closer than `least` to the previous one; the first and the last stay. */
export function thinPoints(points: readonly Point[], least: number): Point[] {
  const kept: Point[] = [];
  for (const [index, point] of points.entries()) {
    const last = kept.at(-1);
    if (!last || index === points.length - 1 || Math.hypot(point[0] - last[0], point[1] - last[1]) >= least) kept.push(point);
  }
  return kept;
}

/** Splits a long line into storable strokes; each starts at the last point of the previous one, so that no gap shows. */
export function splitStroke(points: readonly Point[], most: number = bounds.annotation.strokePoints): Point[][] {
  const parts: Point[][] = [points.slice(0, most)];
  for (let from = most - 1; from < points.length - 1; from += most - 1) parts.push(points.slice(from, from + most));
  return parts;
}

/** The outline of a stroke as an SVG path. `growing`: it is still being drawn. */
export function outline(points: readonly Point[], { tool, width }: Pick<Stroke, "tool" | "width">, growing = false): string {
  const pressed = points.some(([, , pressure]) => Math.round(pressure * 255) !== noPressure);
  const shape = getStroke(points as Point[] as [number, number, number][], {
    size: width,
    thinning: tool === "pen" ? 0.5 : 0,
    smoothing: 0.5,
    streamline: 0.35,
    simulatePressure: tool === "pen" && !pressed,
    last: !growing,
  });
  if (!shape.length) return "";
  const at = ([x = 0, y = 0]: readonly number[]) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const [first = [0, 0]] = shape;
  const between = (one: readonly number[], other: readonly number[]) => [
    ((one[0] ?? 0) + (other[0] ?? 0)) / 2,
    ((one[1] ?? 0) + (other[1] ?? 0)) / 2,
  ];
  const curves = shape.map((point, index) => `Q${at(point)} ${at(between(point, shape[(index + 1) % shape.length] ?? first))}`);
  return `M${at(between(shape.at(-1) ?? first, first))}${curves.join("")}Z`;
}

/** Whether an eraser of some radius at a point touches a stroke. */
export function touches(points: readonly Point[], width: number, [x, y]: readonly [number, number], radius: number): boolean {
  const reach = radius + width / 2;
  const [only] = points;
  if (points.length === 1 && only) return Math.hypot(only[0] - x, only[1] - y) <= reach;
  return points.some((from, index) => {
    const to = points[index + 1];
    return to !== undefined && distanceToSegment(x, y, from, to) <= reach;
  });
}

function distanceToSegment(x: number, y: number, [fromX, fromY]: Point, [toX, toY]: Point): number {
  const [dx, dy] = [toX - fromX, toY - fromY];
  const squared = dx * dx + dy * dy;
  const along = squared === 0 ? 0 : Math.max(0, Math.min(1, ((x - fromX) * dx + (y - fromY) * dy) / squared));
  return Math.hypot(x - fromX - along * dx, y - fromY - along * dy);
}
