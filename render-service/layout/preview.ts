import type { Refused } from "@colloquy/schemas/explainers/placed.ts";
import type { Scene, Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { type PlaceOptions, placesOf, timeline } from "../frames/timeline.ts";
import { layoutTimedOut } from "./check.ts";
import { askThread, type PlacedScene } from "./thread.ts";

/** A scene with how the silent film places it. */
export interface SceneToPlace {
  scene: Scene;
  place: PlaceOptions;
}

const { layoutMs, preview } = filmBounds;
const tooMuch = "It shows too much to be previewed; make it simpler.";
const refused = (finding: string): Refused => ({ kind: "refused", findings: [finding] });

/** How the silent film places scenes. Pure. */
export const scenesToPlace = (
  scenes: readonly Scene[],
  board: Pick<Storyboard, "language" | "sources"> & Pick<PlaceOptions, "aspect">,
): SceneToPlace[] => {
  const timed = timeline(scenes);
  return placesOf(timed, board).map((place, index) => ({ scene: scenes[index] as Scene, place }));
};

/** Scenes as films show them, for a preview. Runs in a thread. */
export async function placeForPreview(scenes: readonly SceneToPlace[], withinMs: number = layoutMs): Promise<(PlacedScene | Refused)[]> {
  const answers = await askThread<"place">(
    scenes.map((one) => ({ task: "place", ...one })),
    withinMs,
  );
  return scenes.map((_, index) => {
    const answer = answers[index];
    if (!answer) return refused(layoutTimedOut);
    return answer.kind === "placed" && answer.length > preview.sceneLength ? refused(tooMuch) : answer;
  });
}
