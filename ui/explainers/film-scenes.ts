import type { Film, Transcript } from "@colloquy/schemas/explainers/film.ts";
import { sceneTitle } from "@colloquy/schemas/explainers/scene-title.ts";
import type { Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";

/** A video's scene with its id in the job. */
export interface FilmScene {
  sceneId: string;
  title: string;
}

/** A video's scenes in order; null for a scene unknown to the job. For an older storyboard the transcript provides them. */
export function filmScenes(film: Film, { storyboardId, scenes }: Storyboard, transcript: Transcript | null): (FilmScene | null)[] {
  if (film.storyboardId === storyboardId) return scenes.map((scene) => ({ sceneId: scene.sceneId, title: sceneTitle(scene) }));
  const known = new Set(scenes.map(({ sceneId }) => sceneId));
  return (transcript?.scenes ?? []).map(({ sceneId, heading }) =>
    // A video from the cache has the scene ids of the job that it was made for.
    film.reused && !known.has(sceneId) ? null : { sceneId, title: heading },
  );
}
