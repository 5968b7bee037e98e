import type { Film, Transcript } from "@colloquy/schemas/explainers/film.ts";
import { sceneTitle } from "@colloquy/schemas/explainers/scene-title.ts";
import type { Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";

/** A scene of a film, by the id its job knows it by. */
export interface FilmScene {
  sceneId: string;
  title: string;
}

/** A film's scenes in their order, as its job has them; null for one it has no name for. Of a film of an older storyboard only the transcript tells. */
export function filmScenes(film: Film, { storyboardId, scenes }: Storyboard, transcript: Transcript | null): (FilmScene | null)[] {
  if (film.storyboardId === storyboardId) return scenes.map((scene) => ({ sceneId: scene.sceneId, title: sceneTitle(scene) }));
  const known = new Set(scenes.map(({ sceneId }) => sceneId));
  return (transcript?.scenes ?? []).map(({ sceneId, heading }) =>
    // One from the cache names the scenes of the job it was made for.
    film.reused && !known.has(sceneId) ? null : { sceneId, title: heading },
  );
}
