import type { Picture, Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { zoomOf } from "./camera.ts";

/** The largest room for a picture at 1080p, in pixels: its sides in a wide film, and its width in a tall one. */
const room = { width: 1_632, height: 660, tallWidth: 900 };
/** The most pixels of a drawn SVG: frames and encoder need the memory. */
const mostPixels = 5_242_880;

/** How wide an SVG is drawn, in pixels, so that it is sharp where the camera is nearest. Pure. */
export function widthOf(scenes: readonly Scene[], { sha256, width, height }: Picture): number {
  const zooms = scenes.flatMap((scene) =>
    scene.layout === "figure" && scene.content.picture.sha256 === sha256 ? scene.content.zooms.map(({ region }) => zoomOf(region)) : [],
  );
  const shown = Math.max(room.tallWidth, Math.min(room.width, (room.height * width) / height));
  return Math.min(shown * Math.max(1, ...zooms), Math.floor(Math.sqrt((mostPixels * width) / height)));
}
