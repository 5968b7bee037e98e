import type { Picture } from "@colloquy/schemas/explainers/storyboard.ts";
import { type Canvas, createCanvas, type Image, loadImage } from "@napi-rs/canvas";
import { colourOf, type Theme } from "../layout/colours.ts";
import { drawSvg } from "./svg.ts";

/** A picture of the course cannot be drawn. */
export class PictureUnreadable extends Error {
  override name = "PictureUnreadable";
}

/** Pictures on the paper of a theme, as frames show them. */
const loaded = new Map<string, Canvas>();
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
  try {
    image = await loadImage(isSvg ? await drawSvg(new TextDecoder().decode(bytes), width) : bytes);
  } catch (cause) {
    throw new PictureUnreadable("A picture of the course cannot be drawn.", { cause });
  }
  const stated = picture.width / picture.height;
  const isAsStated = isSvg
    ? Math.abs(image.width / image.height / stated - 1) < 0.05
    : image.width === picture.width && image.height === picture.height;
  if (!isAsStated) throw new PictureUnreadable("A picture of the course is not of the size that its file states.");
  loaded.set(keyOf(picture.sha256, theme), onPaper(image, theme));
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
export function pictureOf(sha256: string, theme: Theme): Canvas {
  const canvas = loaded.get(keyOf(sha256, theme));
  if (!canvas) throw new PictureUnreadable("A picture of the course is missing.");
  return canvas;
}
