import type { Picture } from "@colloquy/schemas/explainers/storyboard.ts";
import { type Canvas, createCanvas, type Image, type ImageData, loadImage, type Path2D } from "@napi-rs/canvas";
import type { Theme } from "../frames/colours.ts";
import { drawOnPaper } from "../frames/draw-picture.ts";
import { isLineArt } from "../frames/in-the-dark.ts";
import type { LoadedPicture } from "../frames/pen.ts";
import { drawSvg } from "./svg.ts";
import { strokesOf } from "./svg-strokes.ts";

/** A picture of the course cannot be drawn. */
export class PictureUnreadable extends Error {
  override name = "PictureUnreadable";
}

type Loaded = LoadedPicture<Path2D, Canvas>;
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
  const svg = isSvg ? new TextDecoder().decode(bytes) : null;
  let image: Image;
  let strokes: Loaded["strokes"] = [];
  try {
    const drawn = svg === null ? null : await drawSvg(svg, width);
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
  loaded.set(keyOf(picture.sha256, theme), { image: onPaper(image, theme, isLineArt(svg)), strokes });
}

function onPaper(image: Image, theme: Theme, lines: boolean): Canvas {
  const canvas = createCanvas(image.width, image.height);
  const { width, height } = canvas;
  drawOnPaper<Image, ImageData>(canvas.getContext("2d"), image, { width, height, lines }, theme);
  return canvas;
}

/** A loaded picture. @throws {PictureUnreadable} if it was not loaded */
export function pictureOf(sha256: string, theme: Theme): Loaded {
  const picture = loaded.get(keyOf(sha256, theme));
  if (!picture) throw new PictureUnreadable("A picture of the course is missing.");
  return picture;
}
