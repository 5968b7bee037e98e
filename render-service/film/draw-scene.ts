import { setImmediate as turn } from "node:timers/promises";
import type { RenderSettings } from "@colloquy/schemas/explainers/film.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { type Canvas, createCanvas } from "@napi-rs/canvas";
import { timeOf } from "../frames/timeline.ts";
import type { Drawing } from "./drawing.ts";
import { type Encoder, SceneEncoder, sizeOf } from "./encoder.ts";
import type { Segment } from "./segment.ts";

/** Native memory of frames is only freed between turns of the event loop; without yielding, a render grows to gigabytes. */
const yieldEvery = 8;
/** The shorter side of the layout, in pixels. */
const layoutHeight = 720;

/**
 * Draws and encodes one scene. A frame is drawn when it differs from the one before, at least once a second (players can only seek to
 * drawn frames), and at the end (players take the last frame's time as the end).
 */
export async function drawScene<Placed>(
  drawing: Drawing<Placed>,
  scene: { placed: Placed; frames: number },
  settings: RenderSettings,
  encoder: Encoder,
  onFrames: (done: number) => void,
): Promise<Segment> {
  const size = sizeOf(settings);
  const canvas = createCanvas(size.width, size.height);
  const pictures = new SceneEncoder(encoder);
  // The next picture is drawn while the one before is encoded.
  let encoding: Promise<void> = Promise.resolve();
  let shown: string | null = null;
  let drawnAt = 0;
  let since = 0;
  for (let frame = 0; frame < scene.frames; frame += 1) {
    const key = drawing.frameKey(scene.placed, timeOf(frame));
    const last = frame === scene.frames - 1;
    if (key === shown && frame - drawnAt < filmBounds.pictures.apart && !last) continue;
    if (key !== shown) draw(drawing, canvas, scene.placed, frame, settings);
    const pixels = key === shown ? null : canvas.data();
    await encoding;
    encoding = pictures.add(pixels, frame);
    shown = key;
    drawnAt = frame;
    since += 1;
    if (since % yieldEvery === 0) {
      onFrames(frame + 1);
      await turn();
    }
  }
  await encoding;
  return { pictures: await pictures.finish() };
}

export function draw<Placed>(drawing: Drawing<Placed>, canvas: Canvas, placed: Placed, frame: number, settings: RenderSettings): void {
  drawing.drawFrame(canvas.getContext("2d"), placed, timeOf(frame), { theme: settings.theme, scale: settings.height / layoutHeight });
}
