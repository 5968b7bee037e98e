import type { Picture, Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { zoomOf } from "../layout/camera.ts";

/** The widest room for a picture at 1080p, in pixels. */
const widest = 1_632;
/** The most pixels of a drawn SVG: frames and encoder need the memory. */
const mostPixels = 5_242_880;

/** How wide an SVG is drawn, in pixels, so that it is sharp where the camera is nearest. Pure. */
export function widthOf(scenes: readonly Scene[], { sha256, width, height }: Picture): number {
  const zooms = scenes.flatMap((scene) =>
    scene.layout === "figure" && scene.content.picture.sha256 === sha256 ? scene.content.zooms.map(({ region }) => zoomOf(region)) : [],
  );
  return Math.min(widest * Math.max(1, ...zooms), Math.floor(Math.sqrt((mostPixels * width) / height)));
}
