import type { Affine, Box } from "@colloquy/schemas/explainers/placed.ts";

/** A part of a picture, in shares of its width and height. */
export type Region = Box;

/** How much larger a part is shown than in the whole picture. Pure. */
export const zoomOf = ({ width, height }: Region): number => Math.min(1 / width, 1 / height);

/** What a camera shows that looks at a part: the part in the middle, as large as it can be, and nothing beyond the picture's edges. Pure. */
export function viewOf(region: Region): Region {
  const side = 1 / zoomOf(region);
  const start = (from: number, length: number): number => Math.max(0, Math.min(1 - side, from + length / 2 - side / 2));
  return { x: start(region.x, region.width), y: start(region.y, region.height), width: side, height: side };
}

/** Where a camera that shows a view brings what stands in a frame with the whole picture. Pure. */
export function cameraTo(view: Region, frame: Box): Affine {
  const scale = 1 / view.width;
  return [scale, 0, 0, scale, frame.x - scale * (frame.x + view.x * frame.width), frame.y - scale * (frame.y + view.y * frame.height)];
}
