import type { Affine, Box, PictureItem } from "@colloquy/schemas/explainers/placed.ts";
import { colourOf, type Theme } from "./colours.ts";
import { type Pixels, turnLightness } from "./in-the-dark.ts";
import type { Outline, Pen, Stroke, Tools } from "./pen.ts";

/** A canvas whose pixels can be read and written. */
interface Sheet<Image, Data extends { data: Pixels }> extends Pick<Pen<unknown, Image>, "fillStyle" | "fillRect" | "drawImage"> {
  globalCompositeOperation: string;
  getImageData(x: number, y: number, width: number, height: number): Data;
  putImageData(data: Data, x: number, y: number): void;
}

/**
 * Draws a picture on its paper. In the dark an SVG of lines is drawn in light on dark paper; anything else is multiplied with grey paper, as
 * on reading pages.
 */
export function drawOnPaper<Image, Data extends { data: Pixels }>(
  context: Sheet<Image, Data>,
  image: Image,
  { width, height, lines }: { width: number; height: number; lines: boolean },
  theme: Theme,
): void {
  if (theme === "dark" && lines) {
    context.drawImage(image, 0, 0, width, height);
    const drawn = context.getImageData(0, 0, width, height);
    turnLightness(drawn.data);
    context.putImageData(drawn, 0, 0);
    context.globalCompositeOperation = "destination-over";
    context.fillStyle = colourOf("figure-paper", theme);
    context.fillRect(0, 0, width, height);
    return;
  }
  context.fillStyle = colourOf("picture-paper", theme);
  context.fillRect(0, 0, width, height);
  if (theme === "dark") context.globalCompositeOperation = "multiply";
  context.drawImage(image, 0, 0, width, height);
}

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
export function drawPicture<Path extends Outline<Path>, Image, Context extends Pen<Path, Image>>(
  { context, tools, theme }: { context: Context; tools: Tools<Path, Image, Context>; theme: Theme },
  { box, whole, motion, sha256, without = [] }: PictureItem,
  { share, pose }: { share: number; pose: Affine | null },
): void {
  if (pose) context.transform(...pose);
  context.beginPath();
  for (const { x, y, width, height } of [box, ...without]) context.rect(x, y, width, height);
  context.clip("evenodd");
  context.imageSmoothingQuality = "high";
  const picture = tools.picture(sha256, theme);
  if (!picture) {
    context.fillStyle = colourOf("picture-paper", theme);
    context.fillRect(whole.x, whole.y, whole.width, whole.height);
    return;
  }
  const { image, strokes } = picture;
  const drawAll = (onto: Context): void => onto.drawImage(image, whole.x, whole.y, whole.width, whole.height);
  const lines = motion === "draw" && share < 1 ? strokes.filter((stroke) => middleIn(stroke, box, whole)) : [];
  if (lines.length === 0 || lines.length > mostStrokes) {
    // What has no lines of its own, such as a photograph within an SVG, is uncovered from its start.
    if (motion === "draw" && share < 1) {
      context.beginPath();
      context.rect(box.x, box.y, box.width * share, box.height);
      context.clip();
    }
    drawAll(context);
    return;
  }
  const drawn = Math.min(1, share / linesDone);
  // One begins after the other, and two are drawn at a time.
  const begun = lines.flatMap((stroke, index) => {
    const part = Math.max(0, Math.min(1, (drawn * (lines.length + 1) - index) / 2));
    return part === 0 ? [] : [{ stroke, share: part }];
  });
  tools.drawAlong(context, begun, { whole, wider: softEdge }, drawAll);
  if (share <= linesDone) return;
  context.globalAlpha *= (share - linesDone) / (1 - linesDone);
  drawAll(context);
}

function middleIn({ box: { x, y, width, height } }: Pick<Stroke<unknown>, "box">, part: Box, whole: Box): boolean {
  const [across, down] = [whole.x + (x + width / 2) * whole.width, whole.y + (y + height / 2) * whole.height];
  return across >= part.x && across <= part.x + part.width && down >= part.y && down <= part.y + part.height;
}
