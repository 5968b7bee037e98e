import type { Box, BoxItem, GlyphsItem, Item, LineItem, Placed, TextItem } from "@colloquy/schemas/explainers/placed.ts";
import { Path2D, PathOp } from "@napi-rs/canvas";
import { contrastOf } from "../frames/colours.ts";

/** Measurements of a placed scene, at 720p: areas in square pixels, sizes in pixels. */
interface LayoutMetrics {
  overflowArea: number;
  overlapArea: number;
  leastContrast: number;
  leastTextSize: number;
}

/** Less is rounding. */
const roundingTolerance = 0.5;

const area = ({ width, height }: Box): number => Math.max(0, width) * Math.max(0, height);
const intersection = (one: Box, other: Box): Box => {
  const x = Math.max(one.x, other.x);
  const y = Math.max(one.y, other.y);
  return {
    x,
    y,
    width: Math.min(one.x + one.width, other.x + other.width) - x,
    height: Math.min(one.y + one.height, other.y + other.height) - y,
  };
};
const sharedArea = (one: Box, other: Box): number => {
  const { width, height } = intersection(one, other);
  return width > roundingTolerance && height > roundingTolerance ? width * height : 0;
};
const together = (one: Item, other: Item): boolean =>
  one.from < (other.until ?? Number.POSITIVE_INFINITY) && other.from < (one.until ?? Number.POSITIVE_INFINITY);

const isText = (item: Item): item is TextItem | GlyphsItem => item.kind === "text" || item.kind === "glyphs";
const isBox = (item: Item): item is BoxItem => item.kind === "box";
const isLine = (item: Item): item is LineItem => item.kind === "line";

/** How much of a line lies on a text. */
function crossed(line: LineItem, box: Box): number {
  if (sharedArea(grown(line.box, line.width), box) === 0) return 0;
  const room = new Path2D();
  room.rect(box.x, box.y, box.width, box.height);
  const [left, top, right, bottom] = new Path2D(line.d).stroke({ width: line.width }).op(room, PathOp.Intersect).computeTightBounds();
  const along = Math.max(right - left, bottom - top);
  return along > roundingTolerance ? along * line.width : 0;
}
/** A box with so much about it. */
export const grown = ({ x, y, width, height }: Box, by: number): Box => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
});

/** Text lies within a surface or beside it; so does a surface with another. */
function halfOn(item: Item, surface: BoxItem): number {
  const on = sharedArea(item.box, surface.box);
  return on > 0 && area(item.box) - on > roundingTolerance * (item.box.width + item.box.height) ? on : 0;
}

function overlapOfTwo(one: Item, other: Item): number {
  if (!together(one, other)) return 0;
  const apart = one.part !== other.part;
  if (isText(one) && isText(other)) return apart ? sharedArea(one.box, other.box) : 0;
  if (isText(one) && isBox(other)) return halfOn(one, other);
  if (isBox(one) && isText(other)) return halfOn(other, one);
  if (isBox(one) && isBox(other)) return apart && halfOn(one, other) > 0 ? halfOn(other, one) : 0;
  if (isText(one) && isLine(other)) return apart ? crossed(other, one.box) : 0;
  if (isLine(one) && isText(other)) return apart ? crossed(one, other.box) : 0;
  return 0;
}

/** The area in which items overlap. */
export const overlapOf = (items: readonly Item[]): number =>
  items.reduce((sum, item, index) => sum + items.slice(index + 1).reduce((part, other) => part + overlapOfTwo(item, other), 0), 0);

/** The lowest contrast of a text with whatever may lie under it. */
function contrastIn(items: readonly Item[], index: number): number {
  const text = items[index];
  if (!text || !isText(text)) return Number.POSITIVE_INFINITY;
  let least = Number.POSITIVE_INFINITY;
  for (let under = index - 1; under >= 0; under--) {
    const surface = items[under];
    if (!surface || !isBox(surface) || !surface.fill || !together(text, surface) || sharedArea(text.box, surface.box) === 0) continue;
    least = Math.min(least, contrastOf(text.colour, surface.fill));
    if (surface.from <= text.from && surface.until === undefined) return least;
  }
  return Math.min(least, contrastOf(text.colour, "paper"));
}

/** Measures what was placed, from its boxes, colours and sizes alone; not what only goes. */
export function metricsOf({ items: all, safe }: Placed): LayoutMetrics {
  const items = all.filter(({ leaves }) => leaves !== true);
  let overflowArea = 0;
  let leastContrast = 21;
  let leastTextSize = Number.POSITIVE_INFINITY;
  items.forEach((item, index) => {
    const outside = area(item.box) - area(intersection(item.box, safe));
    if (outside > roundingTolerance) overflowArea += outside;
    if (!isText(item)) return;
    leastContrast = Math.min(leastContrast, contrastIn(items, index));
    leastTextSize = Math.min(leastTextSize, item.size);
  });
  return { overflowArea, overlapArea: overlapOf(items), leastContrast, leastTextSize };
}
