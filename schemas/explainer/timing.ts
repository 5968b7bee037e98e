import { bounds } from "../bounds.ts";
import type { Scene } from "./storyboard.ts";

const { wordsPerMinute, holds, sceneSecondsLeast } = bounds.explainer.timing;

/** How many words a text has, as they are spoken: what stands between white space and has a letter or a digit. */
export const wordsOf = (text: string): number => text.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/**
 * How long a scene takes, in seconds with one decimal: its words at 150 a minute (the pace of calm speech, which captions can follow) and
 * a hold for its layout. Pure.
 */
export function sceneSeconds({ layout, narration }: Pick<Scene, "layout" | "narration">): number {
  const seconds = (wordsOf(narration) / wordsPerMinute) * 60 + holds[layout];
  return Math.round(Math.max(sceneSecondsLeast, seconds) * 10) / 10;
}

/** How long a film takes, in seconds with one decimal. Pure. */
export const filmSeconds = (scenes: readonly Pick<Scene, "layout" | "narration">[]): number =>
  Math.round(scenes.reduce((sum, scene) => sum + sceneSeconds(scene), 0) * 10) / 10;
