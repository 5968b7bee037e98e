import type { Letters } from "@colloquy/schemas/explainers/expression.ts";
import type { Affine, Box, ColourRole, GlyphsItem, LineItem, Move } from "@colloquy/schemas/explainers/placed.ts";
import { identity, type Matrix, type Place, placeAt, statesOf } from "@colloquy/schemas/explainers/plane.ts";
import type { SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";
import { Path2D } from "@napi-rs/canvas";
import { calm, refuse, type Stage } from "../stage.ts";
import type { Formula } from "../tex.ts";
import { fitMove, letterStates, type State } from "./plane-motion.ts";

export type Plane = SceneContent<"plane">;

/** How long a map moves the plane. */
const mapTakes = 3_200;
export const part = "plane";
/** Of vectors, in their order. */
const colours: readonly ColourRole[] = ["accent", "warn", "good", "ink"];
export const colourOf = (stage: Stage, { vectors }: Plane, name: string): ColourRole =>
  colours[stage.colours?.[name] ?? vectors.findIndex((vector) => vector.name === name)] ?? "ink";

export interface View {
  box: Box;
  origin: Place;
  /** Pixels for each unit. */
  unit: number;
  at: (place: Place) => Place;
  /** The movements of what the maps carry. */
  moves: Move[];
  /** Before the first map, and after each. */
  states: Matrix[];
  /** What the parameter stands for. */
  letters: State<Letters>[];
}

/** A map of the plane as a map of the picture, whose second axis points down. */
function affineOf({ a, b, c, d }: Matrix, { x, y }: Place): Affine {
  return [a, -c, -b, d, x - a * x + b * y, y + c * x - d * y];
}

export function viewOf(stage: Stage, plane: Plane, box: Box): View {
  const { centre, extent, maps } = plane;
  const unit = Math.min(box.width, box.height) / 2 / extent;
  const origin = { x: box.x + box.width / 2 - centre.x * unit, y: box.y + box.height / 2 + centre.y * unit };
  const states = statesOf(maps);
  const moves: Move[] = [];
  for (const [index, { name, cue }] of maps.entries()) {
    const before = moves.at(-1);
    const free = before ? before.from + before.takes : 0;
    const fitted = fitMove(stage, cue, { takes: mapTakes, free });
    if (!fitted) refuse(stage, `The map ${name} begins too late to be seen whole: name it earlier.`);
    else moves.push({ ...fitted, to: affineOf(states[index + 1] ?? identity, origin), about: origin });
  }
  return {
    box,
    origin,
    unit,
    at: ({ x, y }) => ({ x: origin.x + x * unit, y: origin.y - y * unit }),
    moves,
    states,
    letters: letterStates(stage, plane),
  };
}

export const round = (value: number): number => Math.round(value * 100) / 100;
export const pathOf = (places: readonly Place[], closed = false): string =>
  `${places.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${round(x)} ${round(y)}`).join("")}${closed ? "Z" : ""}`;

/** A point as a disc. */
export const discOf = ({ x, y }: Place, radius = 9): string =>
  `M${round(x - radius)} ${round(y)}A${radius} ${radius} 0 1 0 ${round(x + radius)} ${round(y)}A${radius} ${radius} 0 1 0 ${round(x - radius)} ${round(y)}Z`;

export const meetsBox = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height;

/** Whether a straight line passes through a box. */
export function meetsLine({ x, y, width, height }: Box, from: Place, to: Place): boolean {
  let [enters, leaves] = [0, 1];
  for (const [start, way, low, high] of [
    [from.x, to.x - from.x, x, x + width],
    [from.y, to.y - from.y, y, y + height],
  ] as const) {
    if (way === 0 && (start <= low || start >= high)) return false;
    if (way === 0) continue;
    const [one, other] = [(low - start) / way, (high - start) / way];
    enters = Math.max(enters, Math.min(one, other));
    leaves = Math.min(leaves, Math.max(one, other));
  }
  return enters < leaves;
}

/** Where a place is as the parameter moves. */
export const statesOfPlace = ({ letters }: View, place: Plane["points"][number]["at"]): State<Place>[] =>
  [place.x, place.y].every((entry) => typeof entry === "number")
    ? [{ value: placeAt(place, {}), from: 0 }]
    : letters.map((state) => ({ ...state, value: placeAt(place, state.value) }));

/** Whether a place is seen, so far from the plane's edge. */
export function isInside({ box, at }: View, place: Place, edge: number): boolean {
  const { x, y } = at(place);
  return x > box.x + edge && x < box.x + box.width - edge && y > box.y + edge && y < box.y + box.height - edge;
}

export type Look = Pick<LineItem, "width" | "colour"> &
  Partial<Pick<LineItem, "dash" | "fill" | "tip" | "motion" | "takes" | "until" | "moves">>;
export function putPath(stage: Stage, { box }: View, d: string, from: number, look: Look): void {
  const motion = from === 0 ? "still" : "fade";
  stage.items.push({ kind: "line", d, box, clip: box, part, from, motion, takes: calm, ...look });
}

/** A formula about a middle. */
export function putGlyphs(
  stage: Stage,
  formula: Formula,
  size: number,
  middle: Place,
  look: Pick<GlyphsItem, "colour" | "from" | "motion"> &
    Partial<Pick<GlyphsItem, "moves" | "beyond" | "until" | "part" | "rim" | "takes" | "clip">>,
): void {
  const x = middle.x - ((formula.left + formula.right) / 2) * size;
  const baseline = middle.y + ((formula.ascent - formula.descent) / 2) * size;
  const moved = new Path2D();
  moved.addPath(formula.path, { a: size, b: 0, c: 0, d: size, e: x, f: baseline });
  const [left, top, right, bottom] = moved.computeTightBounds();
  stage.items.push({
    kind: "glyphs",
    d: moved.toSVGString(),
    size: size * formula.least,
    part,
    rim: true,
    takes: calm,
    box: { x: left, y: top, width: right - left, height: bottom - top },
    ...look,
  });
}
