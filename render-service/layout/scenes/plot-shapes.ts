import type { Expression } from "@colloquy/schemas/explainers/expression.ts";
import type { Box } from "@colloquy/schemas/explainers/placed.ts";

export interface Point {
  x: number;
  y: number;
}
export interface Ticks {
  from: number;
  to: number;
  step: number;
  values: number[];
}
interface Span {
  from: number;
  to: number;
}

const samples = 480;
/** So much of its axis a function must have values for. */
const leastDrawable = 0.1;

/** Ticks at round numbers; none where numbers could not be told apart or would be too long to name. */
export function ticksOf(from: number, to: number, about: number): Ticks | undefined {
  const rough = (to - from) / about;
  const ten = 10 ** Math.floor(Math.log10(rough));
  const step = ten * ([1, 2, 5, 10].find((times) => times * ten >= rough * 0.999) ?? 10);
  if (!(step >= 1e-4) || Math.max(Math.abs(from), Math.abs(to)) >= 1e6 || Math.max(Math.abs(from), Math.abs(to)) / step > 1e5)
    return undefined;
  const first = Math.ceil(from / step - 1e-6);
  const last = Math.floor(to / step + 1e-6);
  const values = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
  return { from, to, step, values };
}

export const scaleOf =
  (from: number, to: number, start: number, end: number) =>
  (value: number): number =>
    start + ((value - from) / (to - from)) * (end - start);

const xsOf = ({ from, to }: Span): number[] => Array.from({ length: samples + 1 }, (_, index) => from + ((to - from) * index) / samples);

/** What the y axis must show: all values, or most of them where a few run away; rounded outwards. */
export function rangeOf(functions: readonly Expression[], span: Span): (Span & { drawable: boolean[] }) | undefined {
  const all = functions.map((of) => xsOf(span).map(of).filter(Number.isFinite));
  const drawable = all.map((values) => values.length > samples * leastDrawable);
  const values = all.flat().sort((one, other) => one - other);
  if (values.length === 0) return undefined;
  const at = (share: number) => values[Math.floor(share * (values.length - 1))] ?? 0;
  const middle = at(0.94) - at(0.06);
  let [from, to] = [at(0), at(1)];
  // A function with a pole would flatten everything else.
  if (to - from > 6 * middle && middle > 0) [from, to] = [at(0.06) - middle * 0.15, at(0.94) + middle * 0.15];
  if (to - from < 1e-9 * Math.max(1, Math.abs(to))) [from, to] = [from - 1, to + 1];
  const [low, high] = [from >= 0 && from < (to - from) * 0.5 ? 0 : from, to <= 0 && -to < (to - from) * 0.5 ? 0 : to];
  const step = ticksOf(low, high, 5)?.step ?? (high - low) / 5;
  return { from: Math.floor(low / step + 1e-6) * step, to: Math.ceil(high / step - 1e-6) * step, drawable };
}

interface Curve {
  samples: Point[];
  pieces: { d: string; box: Box }[];
}

/** The curve of a function within the axes, in as many pieces as it has: broken at poles and where it leaves the picture. */
export function curveOf(
  of: Expression,
  span: Span,
  axes: { area: Box; y: Span; toX: (x: number) => number; toY: (y: number) => number },
): Curve {
  const { y: range } = axes;
  const pieces: Point[][] = [[]];
  const end = () => {
    if (pieces.at(-1)?.length) pieces.push([]);
  };
  let before: Point | undefined;
  for (const x of xsOf(span)) {
    const here = { x, y: of(x) };
    const inside = here.y >= range.from && here.y <= range.to;
    const wasInside = before !== undefined && before.y >= range.from && before.y <= range.to;
    if (!Number.isFinite(here.y)) {
      end();
      before = undefined;
      continue;
    }
    const leaps = before !== undefined && Math.abs(here.y - before.y) > (range.to - range.from) * 0.75;
    if (leaps) end();
    else if (before && inside !== wasInside) pieces.at(-1)?.push(edge(before, here, range));
    if (inside) pieces.at(-1)?.push(here);
    else end();
    before = here;
  }
  const drawn = pieces
    .filter((piece) => piece.length > 1)
    .map((piece) => piece.map((point) => ({ x: axes.toX(point.x), y: axes.toY(point.y) })));
  return {
    samples: drawn.flat(),
    pieces: drawn.map((piece) => ({
      d: piece.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join(""),
      box: boxOf(piece),
    })),
  };
}

/** Where the line between two points crosses the border of the range. */
function edge(one: Point, other: Point, { from, to }: Span): Point {
  const border = Math.max(one.y, other.y) > to ? to : from;
  const share = (border - one.y) / (other.y - one.y);
  return { x: one.x + (other.x - one.x) * share, y: border };
}

function boxOf(points: readonly Point[]): Box {
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** From a point: to its sides, above and below, near first. */
const ways: readonly [number, number][] = [
  [1, -1],
  [-1, -1],
  [1, 1],
  [-1, 1],
  [0, -1],
  [0, 1],
  [1, 0],
  [-1, 0],
];

/** A place for a block so far away from one of the points, within the area, on no ink and no other label. */
export function freePlace(
  { width, height }: { width: number; height: number },
  points: readonly Point[],
  away: number,
  { area, ink, taken }: { area: Box; ink: readonly Point[]; taken: readonly Box[] },
): (Box & { near: Point }) | undefined {
  for (const point of points) {
    for (const [right, down] of ways) {
      const x = point.x + right * away + (right > 0 ? 0 : right < 0 ? -width : -width / 2);
      const y = point.y + down * away + (down > 0 ? 0 : down < 0 ? -height : -height / 2);
      const inside = x >= area.x + 8 && x + width <= area.x + area.width && y >= area.y && y + height <= area.y + area.height - 6;
      const free = (by: Point) => by.x < x - 10 || by.x > x + width + 10 || by.y < y - 5 || by.y > y + height + 5;
      const apart = (box: Box) =>
        box.x + box.width < x - 12 || box.x > x + width + 12 || box.y + box.height < y - 8 || box.y > y + height + 8;
      if (inside && ink.every(free) && taken.every(apart)) return { x, y, width, height, near: point };
    }
  }
  return undefined;
}
