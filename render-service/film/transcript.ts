import type { Transcript } from "@colloquy/schemas/explainers/film.ts";
import { onScreen } from "@colloquy/schemas/explainers/on-screen.ts";
import { sceneTitle } from "@colloquy/schemas/explainers/scene-title.ts";
import type { Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import { type TimedScene, timeOf } from "../frames/timeline.ts";

/** What is said and shown in a film, scene by scene, with where it comes from. Pure. */
export function transcriptOf({ title, language, sources }: Storyboard, scenes: readonly TimedScene[]): Transcript {
  return {
    title,
    language,
    scenes: scenes.map(({ scene, start, frames }) => ({
      sceneId: scene.sceneId,
      heading: sceneTitle(scene),
      startMs: Math.round(timeOf(start)),
      endMs: Math.round(timeOf(start + frames)),
      narration: scene.narration,
      shows: onScreen(scene),
      sources: scene.quotes.flatMap(({ sourceId, quote }) => {
        const source = sources.find((one) => one.sourceId === sourceId);
        return source ? [{ sourceId, title: source.title, href: source.href, quote }] : [];
      }),
    })),
  };
}
