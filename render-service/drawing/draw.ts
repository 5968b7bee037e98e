import { type Canvas, Path2D, type SKRSContext2D } from "@napi-rs/canvas";
import { frameDrawer } from "../frames/draw.ts";
import type { Stroke, Tools } from "../frames/pen.ts";
import { setType } from "../layout/text.ts";
import { pictureOf } from "./pictures.ts";

/** The surface of the first share of a line. */
function surfaceOf({ path, width }: Stroke<Path2D>, share: number, { whole, wider }: Parameters<typeof skia.drawAlong>[2]): Path2D {
  const line = new Path2D();
  line.addPath(path, { a: whole.width, b: 0, c: 0, d: whole.height, e: whole.x, f: whole.y });
  return line.trim(0, share).stroke({ width: width * whole.width + wider });
}

/** The renderer's canvas. */
export const skia: Tools<Path2D, Canvas, SKRSContext2D> = {
  newPath: (d) => new Path2D(d),
  // Trimming changes a path in place.
  trimmed: ({ path }, share) => new Path2D(path).trim(0, share),
  setType,
  picture: pictureOf,
  drawAlong(context, lines, within, drawAll) {
    const surface = new Path2D();
    for (const { stroke, share } of lines) surface.addPath(surfaceOf(stroke, share, within));
    context.save();
    context.clip(surface);
    drawAll(context);
    context.restore();
  },
};

/** Draws a placed scene at a time. */
export const drawFrame = frameDrawer(skia);
