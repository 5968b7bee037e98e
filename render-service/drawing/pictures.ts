import type { Picture } from "@colloquy/schemas/explainers/storyboard.ts";
import { type Canvas, createCanvas, type Image, loadImage } from "@napi-rs/canvas";
import { colourOf, type Theme } from "../layout/colours.ts";
import { drawSvg } from "./svg.ts";
import { type Stroke, strokesOf } from "./svg-strokes.ts";

/** A picture of the course cannot be drawn. */
export class PictureUnreadable extends Error {
  override name = "PictureUnreadable";
}

/** A picture on the paper of a theme, as frames show it. */
interface Loaded {
  canvas: Canvas;
  /** Of an SVG. */
  strokes: readonly Stroke[];
}
const loaded = new Map<string, Loaded>();
const keyOf = (sha256: string, theme: Theme): string => `${sha256} ${theme}`;

/**
 * Decodes a picture, so that frames of a theme can show it. Bytes are untrusted: only the isolated process of a film, tests and tools call
 * this.
 * @param options.width in pixels: how wide an SVG is drawn
 * @throws {PictureUnreadable} also if the file is not of the stated size
 */
export async function loadPicture(picture: Picture, bytes: Uint8Array, { width, theme }: { width: number; theme: Theme }): Promise<void> {
  const isSvg = picture.type === "image/svg+xml";
  let image: Image;
  let strokes: readonly Stroke[] = [];
  try {
    const drawn = isSvg ? await drawSvg(new TextDecoder().decode(bytes), width) : null;
    image = await loadImage(drawn ? drawn.png : bytes);
    if (drawn) strokes = strokesOf(drawn.paths);
  } catch (cause) {
    throw new PictureUnreadable("A picture of the course cannot be drawn.", { cause });
  }
  const stated = picture.width / picture.height;
  const isAsStated = isSvg
    ? Math.abs(image.width / image.height / stated - 1) < 0.05
    : image.width === picture.width && image.height === picture.height;
  if (!isAsStated) throw new PictureUnreadable("A picture of the course is not of the size that its file states.");
  loaded.set(keyOf(picture.sha256, theme), { canvas: onPaper(image, theme), strokes });
}

/** In the dark a picture is multiplied with its paper, as on reading pages. */
function onPaper(image: Image, theme: Theme): Canvas {
  const canvas = createCanvas(image.width, image.height);
  const context = canvas.getContext("2d");
  context.fillStyle = colourOf("picture-paper", theme);
  context.fillRect(0, 0, canvas.width, canvas.height);
  if (theme === "dark") context.globalCompositeOperation = "multiply";
  context.drawImage(image, 0, 0);
  return canvas;
}

/** A loaded picture. @throws {PictureUnreadable} if it was not loaded */
export function pictureOf(sha256: string, theme: Theme): Loaded {
  const picture = loaded.get(keyOf(sha256, theme));
  if (!picture) throw new PictureUnreadable("A picture of the course is missing.");
  return picture;
}
