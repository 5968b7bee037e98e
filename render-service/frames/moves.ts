import type { Affine, Item, Move } from "@colloquy/schemas/explainers/placed.ts";
import { between } from "@colloquy/schemas/explainers/plane.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";

/** How long a thing takes to go, and short things to come, in milliseconds: as everywhere in the interface. */
export const fast = 140;

const still: Affine = [1, 0, 0, 1, 0, 0];
const framesOf = ({ takes }: Move): number => Math.max(1, Math.round((takes / 1000) * filmBounds.pictures.perSecond));
/** The frame of a move: 0 before it, all of its frames behind it. */
const frameOf = (move: Move, timeMs: number): number =>
  Math.max(0, Math.min(framesOf(move), Math.floor(((timeMs - move.from) / move.takes) * framesOf(move))));
/** Gently in, gently out. */
const eased = (share: number): number => (share < 0.5 ? 4 * share ** 3 : 1 - (-2 * share + 2) ** 3 / 2);

/** How far the moves are: equal texts mean equal poses. */
export const movesFrames = (moves: readonly Move[], timeMs: number): string =>
  moves.map((move) => frameOf(move, timeMs).toString(36)).join(".");

/** Where moves have brought an item, entry by entry between the states; null before the first begins. Pure. */
export function poseOf(moves: readonly Move[], timeMs: number): Affine | null {
  let pose: Affine | null = null;
  for (const move of moves) {
    const share = eased(frameOf(move, timeMs) / framesOf(move));
    if (share === 0) break;
    const before: Affine = pose ?? still;
    pose = towards(before, move, share);
  }
  return pose;
}

function towards(before: Affine, { to, about }: Move, share: number): Affine {
  if (!about) return before.map((value, index) => value + ((to[index] ?? 0) - value) * share) as Affine;
  const [one, other] = [before, to].map(([a, b, c, d]) => ({ a, b: c, c: b, d }));
  if (!one || !other) return to;
  const { a, b, c, d } = between(one, other, share);
  return [a, c, b, d, about.x - a * about.x - b * about.y, about.y - c * about.x - d * about.y];
}

/** Where an item's moves have brought it: what stays beyond an arrow's tip is only shifted. Pure. */
export function poseOfItem({ moves, beyond }: Pick<Item, "moves" | "beyond">, timeMs: number): Affine | null {
  const pose = moves ? poseOf(moves, timeMs) : null;
  if (!pose || !beyond) return pose;
  const { tip } = beyond;
  const [a, b, c, d, e, f] = pose;
  const moved = { x: a * tip.x + c * tip.y + e, y: b * tip.x + d * tip.y + f };
  const [first, now] = [beyondTip(beyond), beyondTip(beyond, moved)];
  return [1, 0, 0, 1, now.x - first.x, now.y - first.y];
}

/** Between an arrow's tip and what is written beyond it. */
const tipGap = 14;

/** The point about which something is written beyond an arrow's tip, wherever that has come. Pure. */
export function beyondTip({ origin, tip, away, half, turn = 0 }: NonNullable<Item["beyond"]>, now = tip): { x: number; y: number } {
  // An arrow that has vanished keeps the direction that it had at first.
  const end = Math.hypot(now.x - origin.x, now.y - origin.y) < 1e-6 ? tip : now;
  const length = Math.hypot(end.x - origin.x, end.y - origin.y) || 1;
  const [across, down] = [(end.x - origin.x) / length, (end.y - origin.y) / length];
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const [x, y] = [across * cos - down * sin, across * sin + down * cos];
  const share = (side: number, along: number): number => side / Math.max(Math.abs(along), 1e-9);
  const far = half ? Math.max(away, Math.min(share(half.width, x), share(half.height, y)) + tipGap) : away;
  return { x: now.x + x * far, y: now.y + y * far };
}

/** How far a move of so many milliseconds is at one of its moments, as it is drawn. */
export const shareAt = (move: Pick<Move, "from" | "takes">, timeMs: number): number => {
  const whole = { ...move, to: still };
  return eased(frameOf(whole, timeMs) / framesOf(whole));
};

/** A move that is so far on its way seems to stand still. */
export const settled = 0.98;

/** When a move seems to have come to its end: a moment before it, as it ends gently. Pure. */
export function settlesAt(move: Pick<Move, "from" | "takes">): number {
  const frames = framesOf({ ...move, to: still });
  let frame = frames;
  while (frame > 1 && eased((frame - 1) / frames) >= settled) frame -= 1;
  return Math.ceil(move.from + (move.takes * frame) / frames);
}

/** The map that does one map after the other, the second first. */
export const product = ([a, b, c, d, e, f]: Affine, [g, h, i, j, k, l]: Affine): Affine => [
  a * g + c * h,
  b * g + d * h,
  a * i + c * j,
  b * i + d * j,
  a * k + c * l + e,
  b * k + d * l + f,
];
