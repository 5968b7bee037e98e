import type { Affine, GlyphsItem, Item, LineItem, Placed, TextItem } from "@colloquy/schemas/explainers/placed.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { colourOf, type Theme } from "./colours.ts";
import { drawPicture, movedBox } from "./draw-picture.ts";
import { fast, movesFrames, poseOfItem } from "./moves.ts";
import type { Outline, Pen, Tools } from "./pen.ts";

export interface Drawing {
  theme: Theme;
  /** Pixels for each pixel of the design: 1 is 720p, 1.5 is 1080p. */
  scale: number;
}

/** Frames of a short animation; discrete frames can be compared and reused. */
const framesPerAnimation = 12;
/**
 * Of a long one, pictures a second: as many as the film shows, but text that is written letter by letter, and a mark that grows below it,
 * move on by a letter or a few pixels anyway, and each picture takes time to make.
 */
const picturesPerSecond = ({ motion, mark }: Pick<Item, "motion" | "mark">): number =>
  mark ? 10 : motion === "wipe" ? 15 : filmBounds.pictures.perSecond;
const framesOf = (item: Pick<Item, "takes" | "motion" | "mark">): number =>
  Math.max(framesPerAnimation, Math.round((item.takes / 1_000) * picturesPerSecond(item)));
const riseDistance = 10;

/** The frame of an item's animation: 0 hidden, the last complete. It leaves as it came, but faster. */
function frameOf(item: Item, timeMs: number): number {
  const { from, until, takes, motion } = item;
  if (timeMs < from) return 0;
  const frames = framesOf(item);
  const arrived = motion === "still" ? frames : Math.min(frames, 1 + Math.floor(((timeMs - from) / takes) * frames));
  if (until === undefined) return arrived;
  // What takes no time to come takes none to go.
  if (takes === 0) return timeMs < until ? arrived : 0;
  return Math.max(0, Math.min(arrived, Math.ceil(((until - timeMs) / fast) * frames)));
}

/** A key of a frame's pixels: equal keys mean identical pixels. */
export const frameKey = ({ items }: Placed, timeMs: number): string =>
  items.map((item) => frameOf(item, timeMs).toString(36) + (item.moves ? `${movesFrames(item.moves, timeMs)} ` : "")).join("");

const easeOut = (share: number): number => 1 - (1 - share) ** 3;

/** A canvas, what it does in ways of its own, and the colours. */
interface Easel<Path extends Outline<Path>, Image, Context extends Pen<Path, Image>> {
  context: Context;
  tools: Tools<Path, Image, Context>;
  theme: Theme;
  /** Outlines are parsed once for each placed scene. */
  parsed: WeakMap<Item, Path>;
}

function pathOf<Path extends Outline<Path>, Image, Context extends Pen<Path, Image>>(
  { tools, parsed }: Easel<Path, Image, Context>,
  item: Item & { d: string },
): Path {
  const before = parsed.get(item);
  if (before) return before;
  const path = tools.newPath(item.d);
  parsed.set(item, path);
  return path;
}

/** A shape where its moves have brought it. */
function shapeOf<Path extends Outline<Path>, Image, Context extends Pen<Path, Image>>(
  easel: Easel<Path, Image, Context>,
  item: Item & { d: string },
  pose: Affine | null,
): Path {
  if (!pose) return pathOf(easel, item);
  const [a, b, c, d, e, f] = pose;
  const moved = easel.tools.newPath();
  moved.addPath(pathOf(easel, item), { a, b, c, d, e, f });
  return moved;
}

/** How far paper reaches about letters that lines pass beneath. */
const rimWidth = 9;
function drawRim<Path extends Outline<Path>, Image, Context extends Pen<Path, Image>>(
  { context, theme }: Easel<Path, Image, Context>,
  draw: () => void,
): void {
  context.strokeStyle = colourOf("paper", theme);
  context.lineWidth = rimWidth;
  context.lineJoin = "round";
  draw();
}

function drawText<Path extends Outline<Path>, Image, Context extends Pen<Path, Image>>(
  easel: Easel<Path, Image, Context>,
  item: TextItem,
): void {
  const { context, tools, theme } = easel;
  tools.setType(context, item.face, item.size);
  context.direction = item.direction;
  context.textAlign = "left";
  if (item.rim) drawRim(easel, () => context.strokeText(item.text, item.x, item.baseline));
  context.fillStyle = colourOf(item.colour, theme);
  context.fillText(item.text, item.x, item.baseline);
}

function drawGlyphs<Path extends Outline<Path>, Image, Context extends Pen<Path, Image>>(
  easel: Easel<Path, Image, Context>,
  item: GlyphsItem,
  pose: Affine | null,
): void {
  const { context, theme } = easel;
  const path = shapeOf(easel, item, pose);
  if (item.rim) drawRim(easel, () => context.stroke(path));
  context.fillStyle = colourOf(item.colour, theme);
  context.fill(path);
}

function drawLine<Path extends Outline<Path>, Image, Context extends Pen<Path, Image>>(
  easel: Easel<Path, Image, Context>,
  item: LineItem,
  share: number,
  pose: Affine | null,
): void {
  const { context, tools, theme } = easel;
  const path = shapeOf(easel, item, pose);
  if (item.fill) {
    context.fillStyle = colourOf(item.fill, theme);
    context.fill(path);
  }
  context.strokeStyle = colourOf(item.colour, theme);
  context.fillStyle = context.strokeStyle;
  context.lineWidth = item.width;
  context.lineCap = "round";
  context.lineJoin = "round";
  context.setLineDash(item.dash ?? []);
  const whole = share >= 1 || item.motion !== "draw";
  if (item.width > 0) context.stroke(whole ? path : tools.trimmed({ d: item.d, path, pose }, share));
  context.setLineDash([]);
  if (!item.tip || !whole) return;
  const { x, y, angle, tail } = pose ? movedTip(item.tip, pose) : item.tip;
  const length = Math.min(8 + item.width * 3.2, tail ? Math.hypot(x - tail.x, y - tail.y) : Number.POSITIVE_INFINITY);
  if (length < 1) return;
  const half = 0.4;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x - length * Math.cos(angle - half), y - length * Math.sin(angle - half));
  context.lineTo(x - length * Math.cos(angle + half), y - length * Math.sin(angle + half));
  context.closePath();
  context.fill();
}

function movedTip(tip: NonNullable<LineItem["tip"]>, [a, b, c, d, e, f]: Affine): NonNullable<LineItem["tip"]> {
  const [across, down] = [Math.cos(tip.angle), Math.sin(tip.angle)];
  const moved = ({ x, y }: { x: number; y: number }) => ({ x: a * x + c * y + e, y: b * x + d * y + f });
  return {
    ...moved(tip),
    angle: Math.atan2(b * across + d * down, a * across + c * down),
    ...(tip.tail && { tail: moved(tip.tail) }),
  };
}

function drawItem<Path extends Outline<Path>, Image, Context extends Pen<Path, Image>>(
  easel: Easel<Path, Image, Context>,
  item: Item,
  { share, pose }: { share: number; pose: Affine | null },
): void {
  const { context, theme } = easel;
  const { x, y, width, height } = item.box;
  switch (item.kind) {
    case "text":
      drawText(easel, item);
      break;
    case "glyphs":
      drawGlyphs(easel, item, pose);
      break;
    case "line":
      drawLine(easel, item, share, pose);
      break;
    case "picture":
      drawPicture(easel, item, { share, pose });
      break;
    case "box":
      if (pose) context.translate(pose[4], pose[5]);
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
export type DrawFrame<Context> = (context: Context, placed: Placed, timeMs: number, drawing: Drawing) => void;

/** How frames are drawn with the tools of a kind of canvas. */
export function frameDrawer<Path extends Outline<Path>, Image, Context extends Pen<Path, Image>>(
  tools: Tools<Path, Image, Context>,
): DrawFrame<Context> {
  const parsed = new WeakMap<Item, Path>();
  return (context, placed, timeMs, { theme, scale }) => {
    drawItems({ context, tools, theme, parsed }, placed, timeMs, scale);
  };
}

function drawItems<Path extends Outline<Path>, Image, Context extends Pen<Path, Image>>(
  easel: Easel<Path, Image, Context>,
  placed: Placed,
  timeMs: number,
  scale: number,
): void {
  const { context, theme } = easel;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.globalAlpha = 1;
  context.fillStyle = colourOf("paper", theme);
  context.fillRect(0, 0, placed.width, placed.height);
  for (const item of placed.items) {
    const step = frameOf(item, timeMs);
    if (step === 0) continue;
    const frames = framesOf(item);
    // What is written appears evenly, as it is spoken.
    const isEven = item.motion === "wipe" || item.kind === "picture" || item.mark === true;
    const share = isEven ? step / frames : easeOut(step / frames);
    const moves = step < frames && (item.motion === "rise" || item.motion === "wipe");
    const pose = poseOfItem(item, timeMs);
    const { x, y, width, height } = item.kind === "picture" && pose ? movedBox(item.box, pose) : item.box;
    const isLocal = moves || pose !== null || item.clip !== undefined || item.kind === "picture";
    if (isLocal) context.save();
    if (item.clip) {
      context.beginPath();
      context.rect(item.clip.x, item.clip.y, item.clip.width, item.clip.height);
      context.clip();
    }
    // Lines and formulas are carried as shapes, so that their strokes keep their width, unless all is seen from nearer.
    const isWhole = item.kind === "text" || item.kind === "box" || item.camera === true;
    if (pose && isWhole) context.transform(...pose);
    if (moves && item.motion === "rise") context.translate(0, riseDistance * (1 - share));
    if (moves && item.motion === "wipe") {
      context.beginPath();
      const isFromRight = item.kind === "text" && item.direction === "rtl";
      context.rect(isFromRight ? x + width * (1 - share) : x, y, width * share, height);
      context.clip();
    }
    context.globalAlpha = item.motion === "draw" || item.motion === "wipe" ? 1 : share;
    drawItem(easel, item, { share, pose: isWhole ? null : pose });
    if (isLocal) context.restore();
  }
  context.globalAlpha = 1;
}
