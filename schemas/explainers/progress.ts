import type { Progress, RenderStage } from "./render.ts";

/** Where each stage of a render begins and ends, in percent of the whole. */
const spans: Readonly<Record<RenderStage, readonly [number, number]>> = {
  queued: [0, 0],
  starting: [0, 3],
  // Pictures are encoded as they are drawn; what is left is to put them together.
  drawing: [3, 88],
  encoding: [88, 94],
  uploading: [94, 99],
};

/** How far a render is, 0 to 99: done is only what was completed. Pure. */
export function percentOf({ stage, done, total }: Progress): number {
  const [from, to] = spans[stage];
  return Math.floor(from + (to - from) * Math.min(1, done / total));
}

/** With less behind it, a pace says nothing. */
const leastPercent = 6;

/** What is left of a try that came so far in so long, at the pace it had; null while that is not known yet. Pure. */
export function remainingOf(percent: number, elapsedMs: number): number | null {
  if (percent < leastPercent || elapsedMs <= 0) return null;
  return Math.round((elapsedMs / percent) * (100 - percent));
}
