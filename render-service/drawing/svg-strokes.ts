import type { Affine } from "@colloquy/schemas/explainers/placed.ts";
import { Path2D } from "@napi-rs/canvas";
import { product } from "../frames/moves.ts";
import type { Stroke } from "../frames/pen.ts";

const identity: Affine = [1, 0, 0, 1, 0, 0];

const numbersOf = (text: string | undefined): number[] => (text?.match(/-?[\d.]+(?:e[-+]?\d+)?/gi) ?? []).map(Number);
const attributeOf = (attributes: string, name: string): string | undefined => new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1];

function matrixOf(attributes: string): Affine {
  const [a, b, c, d, e, f] = numbersOf(/\stransform="matrix\(([^)]*)\)"/.exec(attributes)?.[1]);
  return a === undefined || b === undefined || c === undefined || d === undefined || e === undefined || f === undefined
    ? identity
    : [a, b, c, d, e, f];
}

/**
 * The lines of a picture in the order in which they are drawn.
 * @param svg as resvg writes it: paths, groups and matrices alone
 */
export function strokesOf(svg: string): Stroke<Path2D>[] {
  const strokes: Stroke<Path2D>[] = [];
  const [left = 0, top = 0, width = 1, height = 1] = numbersOf(attributeOf(/<svg\b[^>]*/.exec(svg)?.[0] ?? "", "viewBox"));
  const open: Affine[] = [[1 / width, 0, 0, 1 / height, -left / width, -top / height]];
  // Clip paths and patterns are no lines of the picture.
  for (const [tag, closes, name, attributes = "", isEmpty] of svg
    .replace(/<defs>[\s\S]*?<\/defs>/, "")
    .matchAll(/<(\/?)(g|path)\b([^>]*?)(\/?)>/g)) {
    if (closes) open.pop();
    else if (tag) {
      const matrix = product(open.at(-1) ?? identity, matrixOf(attributes));
      if (name === "path") addStroke(strokes, attributes, matrix);
      if (!isEmpty) open.push(matrix);
    }
  }
  return strokes;
}

function addStroke(strokes: Stroke<Path2D>[], attributes: string, matrix: Affine): void {
  const d = attributeOf(attributes, "d");
  if (d === undefined || (attributeOf(attributes, "stroke") ?? "none") === "none") return;
  const [a, b, c, d2, e, f] = matrix;
  const path = new Path2D();
  path.addPath(new Path2D(d), { a, b, c, d: d2, e, f });
  const [left, top, right, bottom] = path.computeTightBounds();
  const width = Number(attributeOf(attributes, "stroke-width") ?? 1) * Math.hypot(a, b);
  strokes.push({ path, width, box: { x: left, y: top, width: right - left, height: bottom - top } });
}
