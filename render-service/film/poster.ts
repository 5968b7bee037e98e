import type { RenderSettings } from "@colloquy/schemas/explainers/film.ts";
import { createCanvas } from "@napi-rs/canvas";
import { draw } from "./draw-scene.ts";
import type { Drawing } from "./drawing.ts";
import { sizeOf } from "./encoder.ts";

/** How many scenes from the start are candidates. */
const looked = 3;
/** Only every n-th pixel is compared, which is enough to find the fullest frame. */
const apart = 7;

/** The fullest last picture of the first scenes, as PNG. */
export async function posterOf<Placed>(
  drawing: Drawing<Placed>,
  scenes: readonly { placed: Placed; frames: number }[],
  settings: RenderSettings,
): Promise<Buffer> {
  const { width, height } = sizeOf(settings);
  const canvas = createCanvas(width, height);
  const fullness = scenes.slice(0, looked).map(({ placed, frames }) => {
    draw(drawing, canvas, placed, frames - 1, settings);
    return drawnShare(canvas.data());
  });
  const fullest = scenes[fullness.indexOf(Math.max(...fullness))];
  if (!fullest) throw new Error("a film without scenes");
  draw(drawing, canvas, fullest.placed, fullest.frames - 1, settings);
  return canvas.encode("png");
}

/** The share of pixels that are not as the one in the corner. */
function drawnShare(pixels: Buffer): number {
  const background = pixels.readUInt32LE(0);
  let differ = 0;
  for (let at = 0; at + 4 <= pixels.length; at += 4 * apart) if (pixels.readUInt32LE(at) !== background) differ += 1;
  return differ;
}
