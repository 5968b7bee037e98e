import type { Progress, RenderStage } from "./render.ts";

/** Start and end of each stage of a render, in percent. */
const spans: Readonly<Record<RenderStage, readonly [number, number]>> = {
  queued: [0, 0],
  starting: [0, 3],
  // Frames are encoded as they are drawn; this stage only joins them.
  drawing: [3, 88],
  encoding: [88, 94],
  uploading: [94, 99],
};

/** Progress of a render, 0 to 99; only completion is 100. Pure. */
export function percentOf({ stage, done, total }: Progress): number {
  const [from, to] = spans[stage];
  return Math.floor(from + (to - from) * Math.min(1, done / total));
}

/** Below this, the pace is not meaningful. */
const leastPercent = 6;

/** The remaining milliseconds of an attempt at its pace so far; null while that is unknown. Pure. */
export function remainingOf(percent: number, elapsedMs: number): number | null {
  if (percent < leastPercent || elapsedMs <= 0) return null;
  return Math.round((elapsedMs / percent) * (100 - percent));
}
