import { Path2D, type SKRSContext2D } from "@napi-rs/canvas";
import { colourOf, type Theme } from "../layout/colours.ts";
import type { Item, LineItem, Placed, TextItem } from "../layout/placed.ts";
import { fast } from "../layout/stage.ts";
import { setType } from "../layout/text.ts";

export interface Drawing {
  theme: Theme;
  /** Pixels for each pixel of the design: 1 is 720p, 1.5 is 1080p. */
  scale: number;
}

/** Frames per animation; discrete frames can be compared and reused. */
const framesPerAnimation = 12;
const riseDistance = 10;

/** The frame of an item's animation: 0 hidden, 12 complete. It leaves as it came, but faster. */
function frameOf({ from, until, takes, motion }: Item, timeMs: number): number {
  if (timeMs < from) return 0;
  const arrived =
    motion === "still" ? framesPerAnimation : Math.min(framesPerAnimation, 1 + Math.floor(((timeMs - from) / takes) * framesPerAnimation));
  if (until === undefined) return arrived;
  return Math.max(0, Math.min(arrived, Math.ceil(((until - timeMs) / fast) * framesPerAnimation)));
}

/** A key of a frame's pixels: equal keys mean identical pixels. */
export const frameKey = ({ items }: Placed, timeMs: number): string => items.map((item) => frameOf(item, timeMs).toString(36)).join("");

const easeOut = (share: number): number => 1 - (1 - share) ** 3;

/** Outlines are parsed once for each placed scene. */
const parsed = new WeakMap<Item, Path2D>();
function pathOf(item: Item & { d: string }): Path2D {
  const before = parsed.get(item);
  if (before) return before;
  const path = new Path2D(item.d);
  parsed.set(item, path);
  return path;
}

function drawText(context: SKRSContext2D, item: TextItem): void {
  setType(context, item.face, item.size);
  context.direction = item.direction;
  context.textAlign = "left";
  context.fillText(item.text, item.x, item.baseline);
}

function drawLine(context: SKRSContext2D, item: LineItem, share: number): void {
  context.lineWidth = item.width;
  context.lineCap = "round";
  context.lineJoin = "round";
  context.setLineDash(item.dash ?? []);
  const whole = share >= 1 || item.motion !== "draw";
  // Trimming changes the path in place.
  context.stroke(whole ? pathOf(item) : new Path2D(pathOf(item)).trim(0, share));
  context.setLineDash([]);
  if (!item.tip || !whole) return;
  const { x, y, angle } = item.tip;
  const [length, half] = [8 + item.width * 3.2, 0.4];
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x - length * Math.cos(angle - half), y - length * Math.sin(angle - half));
  context.lineTo(x - length * Math.cos(angle + half), y - length * Math.sin(angle + half));
  context.closePath();
  context.fill();
}

function drawItem(context: SKRSContext2D, item: Item, share: number, theme: Theme): void {
  const { x, y, width, height } = item.box;
  switch (item.kind) {
    case "text":
      context.fillStyle = colourOf(item.colour, theme);
      drawText(context, item);
      break;
    case "glyphs":
      context.fillStyle = colourOf(item.colour, theme);
      context.fill(pathOf(item));
      break;
    case "line":
      context.strokeStyle = colourOf(item.colour, theme);
      context.fillStyle = context.strokeStyle;
      drawLine(context, item, share);
      break;
    case "box":
      context.beginPath();
      context.roundRect(x, y, width, height, item.radius);
      if (item.fill) {
        context.fillStyle = colourOf(item.fill, theme);
        context.fill();
      }
      if (item.stroke) {
        context.strokeStyle = colourOf(item.stroke, theme);
        context.lineWidth = item.strokeWidth ?? 2;
        context.stroke();
      }
  }
}

/** Draws a placed scene at a time. The same scene, time, theme and scale give the same pixels. */
export function drawFrame(context: SKRSContext2D, placed: Placed, timeMs: number, { theme, scale }: Drawing): void {
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.globalAlpha = 1;
  context.fillStyle = colourOf("paper", theme);
  context.fillRect(0, 0, placed.width, placed.height);
  for (const item of placed.items) {
    const step = frameOf(item, timeMs);
    if (step === 0) continue;
    const share = easeOut(step / framesPerAnimation);
    const { x, y, width, height } = item.box;
    const moves = step < framesPerAnimation && (item.motion === "rise" || item.motion === "wipe");
    if (moves) context.save();
    if (moves && item.motion === "rise") context.translate(0, riseDistance * (1 - share));
    if (moves && item.motion === "wipe") {
      context.beginPath();
      context.rect(x, y, width * share, height);
      context.clip();
    }
    context.globalAlpha = item.motion === "draw" || item.motion === "wipe" ? 1 : share;
    drawItem(context, item, share, theme);
    if (moves) context.restore();
  }
  context.globalAlpha = 1;
}
