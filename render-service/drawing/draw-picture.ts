import { type Canvas, Path2D, type SKRSContext2D } from "@napi-rs/canvas";
import type { Affine, Box, PictureItem } from "../layout/placed.ts";
import type { Stroke } from "./svg-strokes.ts";

/** Where a camera's move has brought a box. */
export const movedBox = ({ x, y, width, height }: Box, [a, , , d, e, f]: Affine): Box => ({
  x: a * x + e,
  y: d * y + f,
  width: a * width,
  height: d * height,
});

/** Of the time in which a part is drawn, when its lines are done and the rest comes. */
const linesDone = 0.8;
/** More lines than this are not seen one by one. */
const mostStrokes = 300;
/** Lines are uncovered so much wider than they are, in pixels of the design, for their soft edges. */
const softEdge = 1.5;

/** Draws a picture or a part of it: whole, or line by line. */
export function drawPicture(
  context: SKRSContext2D,
  { box, whole, motion, without = [] }: PictureItem,
  { canvas, strokes }: { canvas: Canvas; strokes: readonly Stroke[] },
  { share, pose }: { share: number; pose: Affine | null },
): void {
  if (pose) context.transform(...pose);
  context.beginPath();
  for (const { x, y, width, height } of [box, ...without]) context.rect(x, y, width, height);
  context.clip("evenodd");
  context.imageSmoothingQuality = "high";
  const drawAll = (): void => context.drawImage(canvas, whole.x, whole.y, whole.width, whole.height);
  const lines = motion === "draw" && share < 1 ? strokes.filter((stroke) => middleIn(stroke, box, whole)) : [];
  if (lines.length === 0 || lines.length > mostStrokes) {
    // What has no lines of its own, such as a photograph within an SVG, is uncovered from its start.
    if (motion === "draw" && share < 1) {
      context.beginPath();
      context.rect(box.x, box.y, box.width * share, box.height);
      context.clip();
    }
    drawAll();
    return;
  }
  context.save();
  context.clip(uncovered(lines, Math.min(1, share / linesDone), whole));
  drawAll();
  context.restore();
  if (share <= linesDone) return;
  context.globalAlpha *= (share - linesDone) / (1 - linesDone);
  drawAll();
}

function middleIn({ box: { x, y, width, height } }: Stroke, part: Box, whole: Box): boolean {
  const [across, down] = [whole.x + (x + width / 2) * whole.width, whole.y + (y + height / 2) * whole.height];
  return across >= part.x && across <= part.x + part.width && down >= part.y && down <= part.y + part.height;
}

/** The surface of lines as far as they are drawn: one begins after the other. */
function uncovered(lines: readonly Stroke[], share: number, whole: Box): Path2D {
  const surface = new Path2D();
  const placed = { a: whole.width, b: 0, c: 0, d: whole.height, e: whole.x, f: whole.y };
  lines.forEach(({ path, width }, index) => {
    // Two lines are drawn at a time.
    const drawn = Math.max(0, Math.min(1, (share * (lines.length + 1) - index) / 2));
    if (drawn === 0) return;
    const line = new Path2D();
    line.addPath(path, placed);
    surface.addPath(line.trim(0, drawn).stroke({ width: width * whole.width + softEdge }));
  });
  return surface;
}
