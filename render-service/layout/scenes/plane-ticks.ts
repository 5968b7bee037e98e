import type { Box, Item } from "@colloquy/schemas/explainers/placed.ts";
import { type Place, rounded } from "@colloquy/schemas/explainers/plane.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { poseOf, poseOfItem } from "../../frames/moves.ts";
import { grown } from "../metrics.ts";
import { putLine, type Stage } from "../stage.ts";
import { measure } from "../text.ts";
import { meetsBox, meetsLine, part, type View } from "./plane-view.ts";

const tickSize = 26;
/** What is so close to a number's letters lies on their rim. */
const tickEdge = 5;
/** A number that is seen for a shorter time only blinks. */
const seenLeast = 800;

/** What lies on a plane's numbers, from one time until another. */
interface Cover {
  from: number;
  until: number;
  meets: (room: Box) => boolean;
}

/** When an item begins to be somewhere else. */
function timesOf({ from, until = Number.POSITIVE_INFINITY, moves = [] }: Item): number[] {
  const frame = 1_000 / filmBounds.pictures.perSecond;
  const times = moves.flatMap((move) =>
    Array.from({ length: Math.ceil(move.takes / frame) + 1 }, (_, index) => Math.min(move.from + index * frame, move.from + move.takes)),
  );
  return [from, ...times.filter((time) => time > from && time < until)];
}

/** The pieces of a path, each as its places; of an arc, where it ends. */
const piecesOf = (d: string): Place[][] =>
  d.split("M").flatMap((piece) => {
    const places = piece
      .split(/[LAZ]/)
      .map((one) => one.trim().split(" ").map(Number))
      .flatMap((numbers) => (numbers.length < 2 ? [] : [{ x: numbers.at(-2) ?? 0, y: numbers.at(-1) ?? 0 }]));
    const [first] = places;
    return first ? [piece.endsWith("Z") ? [...places, first] : places] : [];
  });

/** The edges of an arrow's head. */
function headOf({ x, y }: Place, before: Place, width: number): [Place, Place][] {
  const angle = Math.atan2(y - before.y, x - before.x);
  const length = 8 + width * 3.2;
  return [-0.4, 0.4].map((half) => [
    { x, y },
    { x: x - length * Math.cos(angle + half), y: y - length * Math.sin(angle + half) },
  ]);
}

/** Where an item lies at each time; a surface alone covers nothing, for numbers stand on it. */
function coversOf(item: Item): Cover[] {
  if (item.kind !== "line" && item.kind !== "glyphs") return [];
  const times = timesOf(item);
  const spans = times.map((from, index) => ({ from, until: times[index + 1] ?? item.until ?? Number.POSITIVE_INFINITY }));
  if (item.kind === "glyphs")
    return spans.map((span) => {
      const [, , , , x, y] = poseOfItem(item, span.from) ?? [1, 0, 0, 1, 0, 0];
      const box = { ...item.box, x: item.box.x + x, y: item.box.y + y };
      return { ...span, meets: (room) => meetsBox(room, box) };
    });
  const pieces = piecesOf(item.d);
  return spans.map((span) => {
    const [a, b, c, d, e, f] = poseOf(item.moves ?? [], span.from) ?? [1, 0, 0, 1, 0, 0];
    const moved = pieces.map((places) => places.map(({ x, y }) => ({ x: a * x + c * y + e, y: b * x + d * y + f })));
    const lines = moved.flatMap((places) => places.slice(1).map((place, index): [Place, Place] => [places[index] ?? place, place]));
    const [shaft] = lines;
    const heads = item.tip && shaft ? headOf(shaft[1], shaft[0], item.width) : [];
    return {
      ...span,
      meets: (room) =>
        lines.some(([one, other]) => meetsLine(grown(room, item.width / 2), one, other)) ||
        heads.some(([one, other]) => meetsLine(room, one, other)),
    };
  });
}

/** When nothing lies on a number, for long enough to read it. */
function freeTimes(covers: readonly Cover[], durationMs: number): { from: number; until?: number }[] {
  const free: { from: number; until?: number }[] = [];
  let from = 0;
  for (const cover of [...covers, { from: durationMs, until: Number.POSITIVE_INFINITY }].toSorted((one, other) => one.from - other.from)) {
    const isLast = cover.from >= durationMs;
    if (Math.min(cover.from, durationMs) - from >= Math.min(seenLeast, durationMs))
      free.push({ from: Math.round(from), ...(!isLast && { until: Math.round(cover.from) }) });
    from = Math.max(from, cover.until);
  }
  return free;
}

/**
 * The numbers along the axes, above surfaces and the grid. A number that a line, a name or a point lies on is hidden whole for that time.
 * @param above what is drawn on the grid
 */
export function putTicks(stage: Stage, { box, unit, at }: View, above: readonly Item[]): void {
  const covers = above.filter((item) => !("colour" in item) || item.colour !== "accent-wash").flatMap(coversOf);
  const step = [1, 2, 5, 10].find((one) => one * unit >= 70) ?? 10;
  const put = (value: number, place: Place, side: "below" | "left"): void => {
    const text = rounded(value).replace("-", "−");
    const { advance, left, right, ascent, descent } = measure(text, "beside", tickSize);
    const x = side === "below" ? place.x - advance / 2 : place.x - advance - 10;
    const baseline = side === "below" ? place.y + 30 : place.y + tickSize * 0.35;
    const isInside = x > box.x + 4 && x + advance < box.x + box.width - 4 && baseline - 20 > box.y && baseline + 8 < box.y + box.height;
    if (!isInside) return;
    const room = grown({ x: x + left, y: baseline - ascent, width: right - left, height: ascent + descent }, tickEdge);
    const lying = covers.filter(({ meets }) => meets(room));
    for (const seen of freeTimes(lying, stage.durationMs)) {
      const motion = seen.from === 0 ? "still" : "fade";
      const line = { text, face: "beside", size: tickSize, x, baseline } as const;
      putLine(stage, line, { colour: "ink-faint", part, direction: "ltr", rim: true, motion, ...seen });
    }
  };
  for (let value = -20 * step; value <= 20 * step; value += step) {
    if (value === 0) continue;
    put(value, at({ x: value, y: 0 }), "below");
    put(value, at({ x: 0, y: value }), "left");
  }
}
