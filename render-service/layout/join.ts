import type { Affine, Box, Item, Move, Placed } from "@colloquy/schemas/explainers/placed.ts";
import { fast, poseOf, product } from "../frames/moves.ts";
import { metricsOf } from "./metrics.ts";
import { shapeOf } from "./shape.ts";
import { stillMostMs, stillnessOf } from "./stillness.ts";

/** How long what stays takes to its new place, and what goes is seen; and how soon a camera may be sent where it is. In milliseconds. */
const pace = { moves: 600, shortest: 200, leaves: fast, again: 1_500 };
const unmoved: Affine = [1, 0, 0, 1, 0, 0];

const isUnmoved = (pose: Affine): boolean => pose.every((value, index) => Math.abs(value - (unmoved[index] ?? 0)) < 1e-3);

/** The map that undoes a camera's move. */
const inverseOf = ([a, , , d, e, f]: Affine): Affine => [1 / a, 0, 0, 1 / d, -e / a, -f / d];

/** From one box to another; a side without length gives no scale. */
function mapOf(from: Box, to: Box): Affine {
  const [across, down] = [from.width > 0.5 ? to.width / from.width : null, from.height > 0.5 ? to.height / from.height : null];
  const [a, d] = [across ?? down ?? 1, down ?? across ?? 1];
  return [a, 0, 0, d, to.x - a * from.x, to.y - d * from.y];
}

/** What only draws attention, and is no object. */
const isMark = (item: Item): boolean =>
  item.mark === true || (item.kind === "box" && item.fill === "accent-wash") || ("colour" in item && item.colour === "accent-wash");
/** What an item belongs to, whichever of its kind. */
const group = ({ part }: Item): string => part.replace(/\d+/g, "#");

/** What makes an item the same in two scenes: its words, its form, its picture. A box is what stands in it, and a word belongs to its box. */
function identityOf(item: Item, words: ReadonlyMap<string, string>): string {
  const within = /\d/.test(item.part) ? words.get(item.part) : undefined;
  switch (item.kind) {
    case "text":
      return JSON.stringify([group(item), item.text, item.face, item.colour, within]);
    case "glyphs":
      return JSON.stringify([group(item), item.colour, shapeOf(item.d).form, within]);
    case "line": {
      const { colour, width, dash, fill, tip } = item;
      return JSON.stringify([group(item), colour, width, dash, fill, tip !== undefined, shapeOf(item.d).form, within]);
    }
    case "box":
      return JSON.stringify([group(item), item.fill, item.stroke, words.get(item.part)]);
    case "picture":
      return JSON.stringify([group(item), item.sha256]);
  }
}

/** Where an item's form is, for comparing with an equal one. */
function frameOf(item: Item): Box {
  if (item.kind === "picture") return item.whole;
  if (item.kind === "glyphs" || item.kind === "line") return shapeOf(item.d).box;
  if (item.kind === "text") return { x: item.x, y: item.baseline - item.size, width: item.size, height: item.size };
  return item.box;
}

function byIdentity(items: readonly Item[]): Map<string, Item[]> {
  const words = new Map<string, string>();
  for (const item of items) if (item.kind === "text") words.set(item.part, `${words.get(item.part) ?? ""} ${item.text}`);
  return Map.groupBy(
    items.filter((item) => !isMark(item)),
    (item) => identityOf(item, words),
  );
}

/** Between the middles of two boxes. */
const lengthBetween = (one: Box, other: Box): number =>
  Math.hypot(other.x - one.x + (other.width - one.width) / 2, other.y - one.y + (other.height - one.height) / 2);

/** Equal items of two scenes; of several that are equal those that are nearest to each other. */
function pairsOf(before: readonly Item[], scene: readonly Item[]): Map<Item, Item> {
  const there = byIdentity(before);
  const pairs = new Map<Item, Item>();
  for (const [identity, items] of byIdentity(scene)) {
    const left = new Set(there.get(identity));
    const ways = items.flatMap((item) => [...left].map((was) => ({ item, was, length: lengthBetween(item.box, was.box) })));
    for (const { item, was } of ways.toSorted((one, other) => one.length - other.length))
      if (!pairs.has(item) && left.delete(was)) pairs.set(item, was);
  }
  return pairs;
}

const isAtEnd = ({ items: _, durationMs }: Placed, { from, until }: Item): boolean =>
  from < durationMs && (until === undefined || until > durationMs);
const endOf = ({ durationMs }: Placed, { moves = [] }: Item): Affine => poseOf(moves, durationMs) ?? unmoved;

function together(one: Box, other: Box): Box {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  const [right, bottom] = [Math.max(one.x + one.width, other.x + other.width), Math.max(one.y + one.height, other.y + other.height)];
  return { x, y, width: right - x, height: bottom - y };
}

/** An item that begins where an equal one ended; undefined where it leaves too early for that. */
function arriving(item: Item, before: Placed, was: Item): Item | undefined {
  const { moves = [] } = item;
  const begin = product(endOf(before, was), mapOf(frameOf(item), frameOf(was)));
  const own = poseOf(moves, 0) ?? unmoved;
  const later = moves.filter(({ from, takes }) => from + takes > 0);
  const takes = Math.min(pace.moves, later[0]?.from ?? pace.moves, item.until ?? pace.moves);
  const present = { ...item, from: 0, motion: "still" as const };
  const [first] = later;
  // A camera that is sent where it is does not go out and in again. What a map moves is moved again.
  if (first && !first.about && first.from < pace.again && isUnmoved(product(begin, inverseOf(first.to))))
    return { ...present, moves: [{ from: -2, takes: 1, to: begin }, ...later.slice(1)] };
  if (isUnmoved(product(begin, unmoved)) && isUnmoved(own)) return present;
  if (takes < pace.shortest) return undefined;
  const joined: Move[] = [
    { from: -2, takes: 1, to: begin },
    { from: 0, takes, to: own },
  ];
  const clip = item.clip && was.clip ? together(item.clip, was.clip) : undefined;
  const { clip: _, ...free } = present;
  return { ...free, ...(clip && { clip }), moves: [...joined, ...later] };
}

/** An item that goes from where it was. */
function leaving(before: Placed, item: Item): Item {
  const { moves: _, until: __, ...kept } = item;
  const end = endOf(before, item);
  return {
    ...kept,
    from: 0,
    until: pace.leaves,
    motion: "still",
    leaves: true,
    takes: Math.max(1, item.takes),
    ...(!isUnmoved(end) && { moves: [{ from: -2, takes: 1, to: end }] }),
  };
}

const meet = (one: Box, other: Box): boolean =>
  Math.min(one.x + one.width, other.x + other.width) > Math.max(one.x, other.x) &&
  Math.min(one.y + one.height, other.y + other.height) > Math.max(one.y, other.y);

const isEqual = (one: { x: number; y: number }, other: { x: number; y: number }): boolean => one.x === other.x && one.y === other.y;

/** Whether an item comes in the place of another that goes for it, or at the same arrow's tip. */
const takesOver = ({ from, box, beyond }: Item, items: readonly Item[]): boolean =>
  items.some(
    ({ until, box: other, beyond: before }) =>
      until !== undefined &&
      Math.abs(until - from) <= handoverMs &&
      (meet(box, other) || (beyond && before && isEqual(beyond.tip, before.tip))),
  );
const handoverMs = 400;
/** Lines of a derivation come one after the other, and numbers of a plane once nothing lies on them, whatever stood there before. */
const comesLater = ({ part, kind }: Item): boolean => part === "derivation" || (part === "plane" && kind === "text");

/** An item of a scene that comes once what only goes has gone. */
const entering = (item: Item): Item =>
  item.from >= pace.leaves || (item.until !== undefined && item.until <= pace.leaves)
    ? item
    : { ...item, from: pace.leaves, motion: item.motion === "still" ? "fade" : item.motion, takes: item.takes || fast };

/** What would only come later is there from the start, too. Null where nothing but words about the picture stays. */
function joinedWith(before: Placed, scene: Placed): Placed | null {
  const there = before.items.filter((item) => isAtEnd(before, item));
  const items = new Map<Item, Item>();
  const nowOf = new Map<Item, Item>();
  const mayStay = scene.items.filter((item) => item.from <= 0 || (!comesLater(item) && !takesOver(item, scene.items)));
  for (const [item, was] of pairsOf(there, mayStay)) {
    const arrived = arriving(item, before, was);
    if (!arrived) continue;
    items.set(item, arrived);
    nowOf.set(was, item);
  }
  const shows = [...items.keys()].some(({ part }) => part !== "heading" && part !== "footnote");
  if (!shows) return null;
  // What goes lies above what it lay above.
  const above = new Map<Item | null, Item[]>();
  let below: Item | null = null;
  for (const item of there) {
    const now = nowOf.get(item);
    if (now) below = now;
    else above.set(below, [...(above.get(below) ?? []), leaving(before, item)]);
  }
  const shown = scene.items.flatMap((item) => [items.get(item) ?? entering(item), ...(above.get(item) ?? [])]);
  return { ...scene, items: [...(above.get(null) ?? []), ...shown] };
}

/**
 * A scene that begins with the last picture of the one before it: what both show stays, and moves to its new place; the rest goes and comes.
 * It is cut to where nothing can stay, or where the scene would stand still for too long with all of it there. Pure.
 * @param finish what is drawn in addition once it is known what stands where
 */
export function joinScenes(before: Placed, scene: Placed, finish: (placed: Placed) => Placed = (placed) => placed): Placed {
  const joined = joinedWith(before, scene);
  const alone = finish(scene);
  if (!joined || metricsOf(joined).overlapArea > 0) return alone;
  const finished = finish(joined);
  return longestOf(finished) <= Math.max(stillMostMs, longestOf(alone)) ? finished : alone;
}

function longestOf(placed: Placed): number {
  const { from, to } = stillnessOf(placed).longest;
  return to - from;
}
