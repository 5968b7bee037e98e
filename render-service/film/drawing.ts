import type { RenderSettings } from "@colloquy/schemas/explainers/film.ts";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import type { SKRSContext2D } from "@napi-rs/canvas";
import type { PlaceOptions } from "../frames/timeline.ts";

/** Layout and drawing for a video. Times are in milliseconds from the start of the scene. */
export interface Drawing<Placed> {
  /** @throws {Refused} when the scene cannot be laid out within its limits */
  placeScene(scene: Scene, options: PlaceOptions): Placed | Promise<Placed>;
  drawFrame(context: SKRSContext2D, placed: Placed, timeMs: number, options: { theme: RenderSettings["theme"]; scale: number }): void;
  /** Equal keys mean equal frames. */
  frameKey(placed: Placed, timeMs: number): string;
  measure(placed: Placed): SceneMetrics;
}

/** Areas in square pixels, sizes in pixels, both at 720p. */
interface SceneMetrics {
  overflowArea: number;
  overlapArea: number;
  leastContrast: number;
  leastTextSize: number;
}

/** A scene cannot be drawn as it is. */
export class Refused extends Error {
  override name = "Refused";
}
