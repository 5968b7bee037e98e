import type { Placed } from "@colloquy/schemas/explainers/placed.ts";
import { drawFrame } from "../drawing/draw.ts";
import { frameKey } from "../frames/draw.ts";
import { metricsOf } from "../layout/metrics.ts";
import { placeScene } from "../layout/place.ts";
import { type Drawing, Refused } from "./drawing.ts";

/** The layout and drawing of videos. */
export const drawing: Drawing<Placed> = {
  placeScene(scene, options) {
    const placed = placeScene(scene, options);
    if (placed.kind === "refused") throw new Refused(placed.findings.join(" "));
    return placed;
  },
  drawFrame,
  frameKey,
  measure: metricsOf,
};
