import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Scene } from "@colloquy/schemas/explainer/storyboard.ts";
import { sceneSeconds } from "@colloquy/schemas/explainer/timing.ts";

export const framesPerSecond = bounds.explainer.pictures.perSecond;

/** A scene's place in the film, in frames from its beginning. */
export interface TimedScene {
  scene: Scene;
  start: number;
  frames: number;
  /** When its words are spoken, or would be, in milliseconds from where it begins. */
  speech: { from: number; to: number };
}

/** A scene is seen before it is spoken of. */
const leadMs = 250;

/**
 * Where each scene begins and how long it is. With a voice the audio takes the place of the words: what the words rule adds to them for a
 * layout is added to the audio, and no scene is shorter than the rule says. Pure.
 * @param audioSeconds of each scene's spoken text; none for a silent film
 */
export function timeline(scenes: readonly Scene[], audioSeconds?: readonly number[]): TimedScene[] {
  let start = 0;
  return scenes.map((scene, index) => {
    const audio = audioSeconds?.[index];
    const hold = bounds.explainer.timing.holds[scene.layout];
    const byWords = sceneSeconds(scene);
    const seconds = audio === undefined ? byWords : Math.max(byWords, audio + hold);
    const frames = Math.ceil(seconds * framesPerSecond - 1e-6);
    const spoken = audio ?? Math.max(seconds / 2, seconds - hold) - leadMs / 1_000;
    const timed = { scene, start, frames, speech: { from: leadMs, to: Math.round(leadMs + spoken * 1_000) } };
    start += frames;
    return timed;
  });
}

export const framesOf = (scenes: readonly TimedScene[]): number => scenes.reduce((sum, { frames }) => sum + frames, 0);

/** Milliseconds from the film's beginning to a frame. */
export const timeOf = (frame: number): number => (frame / framesPerSecond) * 1_000;
