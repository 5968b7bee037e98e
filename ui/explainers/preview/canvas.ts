import { type DrawFrame, frameDrawer } from "@colloquy/render-service/frames/draw.ts";
import { fontOf } from "@colloquy/render-service/frames/faces.ts";
import type { Tools } from "@colloquy/render-service/frames/pen.ts";
import { firstShare, type Polyline, polylineOf } from "./polyline.ts";

type Context = CanvasRenderingContext2D;
export type CanvasTools = Tools<Path2D, CanvasImageSource, Context>;

/** Lines that are drawn, by their paths; forgotten when there are many. */
const drawn = new Map<string, Polyline>();
function lineOf(d: string): Polyline {
  const before = drawn.get(d);
  if (before) return before;
  if (drawn.size > 200) drawn.clear();
  const line = polylineOf(d, 1);
  drawn.set(d, line);
  return line;
}

/** The lines of pictures, by their strokes. */
export const strokeLines = new WeakMap<Path2D, Polyline>();

/** How browsers draw frames. @param picture finds a picture of the course that was loaded */
export const canvasDrawer = (picture: CanvasTools["picture"]): DrawFrame<Context> =>
  frameDrawer<Path2D, CanvasImageSource, Context>({
    picture,
    newPath: (d) => new Path2D(d),
    trimmed({ d, pose }, share) {
      const [a, b, c, e, f, g] = pose ?? [1, 0, 0, 1, 0, 0];
      return firstShare(lineOf(d), share, ({ x, y }) => ({ x: a * x + c * y + f, y: b * x + e * y + g }));
    },
    setType(context, face, size) {
      context.font = fontOf(face, size);
      context.fontKerning = "normal";
      // Not yet known to TypeScript, nor to every browser.
      Object.assign(context, { lang: "en" });
      // Browsers set no ligatures in spaced text: in code every sign stands for itself.
      context.letterSpacing = face.startsWith("code") ? "0.001px" : "0px";
    },
    drawAlong(context, lines, { whole, wider }, drawAll) {
      const { width, height } = context.canvas;
      const layer = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
      if (!layer) return;
      layer.setTransform(context.getTransform());
      for (const { stroke, share } of lines) {
        layer.lineWidth = stroke.width * whole.width + wider;
        const place = ({ x, y }: { x: number; y: number }) => ({ x: whole.x + x * whole.width, y: whole.y + y * whole.height });
        layer.stroke(firstShare(strokeLines.get(stroke.path) ?? [], share, place));
      }
      layer.globalCompositeOperation = "source-in";
      drawAll(layer);
      context.save();
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.drawImage(layer.canvas, 0, 0);
      context.restore();
    },
  });
