import { rounded } from "./plane.ts";
import type { SceneContent } from "./storyboard.ts";

type Forgetting = SceneContent<"forgetting">;

/** Between one recall and the next: when it begins, the stability of the memory, and when the chance has fallen to the target. */
export interface Interval {
  from: number;
  stability: number;
  gap: number;
}

/** The chance of recalling after a time. */
export const chanceAfter = (time: number, stability: number): number => Math.exp(-time / stability);

/** Each recall comes when the chance has fallen to `target`, and makes the memory `growth` times as stable. Pure. */
export function intervalsOf({
  stability,
  growth,
  target,
  recalls,
}: Pick<Forgetting, "stability" | "growth" | "target" | "recalls">): Interval[] {
  const intervals: Interval[] = [];
  let from = 0;
  for (let count = 0; count <= recalls.length; count += 1) {
    const now = stability * growth ** count;
    const gap = -now * Math.log(target);
    intervals.push({ from, stability: now, gap });
    from += gap;
  }
  return intervals;
}

export const modelTex = "R(t) = e^{-t/S}";
export const stabilityTex = ({ stability }: Interval): string => `S = ${rounded(stability)}`;
export const gapTex = ({ gap }: Interval, target: number): string => `R(${rounded(gap)}) = ${rounded(target)}`;
