import type { Box, Item, Placed } from "@colloquy/schemas/explainers/placed.ts";
import type { SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";
import { poseOfItem } from "../../frames/moves.ts";
import { placeScene } from "../place.ts";
import { setFormula } from "../tex.ts";
import { type aspects, sceneOf } from "./scenes.ts";

type Plane = SceneContent<"plane">;
/** A plane that shows nothing. */
export const emptyPlane: Plane = {
  heading: "A plane",
  centre: { x: 0, y: 0 },
  extent: 4,
  maps: [],
  vectors: [],
  lines: [],
  points: [],
  polygons: [],
  curves: [],
  focus: [],
};

/** A placed plane of some content. */
export function placedPlane(content: Partial<Plane>, narration: string, aspect: (typeof aspects)[number] = "16:9"): Placed {
  const placed = placeScene(sceneOf("plane", { ...emptyPlane, ...content }, narration), {
    aspect,
    language: "en",
    seconds: 12,
  });
  if (placed.kind === "refused") throw new Error(placed.findings.join("; "));
  return placed;
}

export const isShownAt = ({ from, until }: Item, timeMs: number): boolean => from <= timeMs && (until === undefined || until > timeMs);

/** Where an item is at a time. */
export function boxAt(item: Item, timeMs: number): Box {
  const [, , , , x, y] = poseOfItem(item, timeMs) ?? [1, 0, 0, 1, 0, 0];
  return { ...item.box, x: item.box.x + x, y: item.box.y + y };
}

const strokes = (d: string): string => d.replace(/[^A-Z]/g, "");

/** Items that show a formula: in the plane, or beside it. */
export const itemsOf = ({ items }: Placed, tex: string, where: "plane" | "beside"): Item[] =>
  items.filter(
    (item) =>
      item.kind === "glyphs" &&
      (item.part === "plane") === (where === "plane") &&
      strokes(item.d) === strokes(setFormula(tex).path.toSVGString()),
  );
