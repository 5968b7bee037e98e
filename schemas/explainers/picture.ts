import type { Picture, Scene } from "./storyboard.ts";

/** The pictures that scenes show, each once. Pure. */
export function picturesOf(scenes: readonly Scene[]): Picture[] {
  const shown = scenes.flatMap((scene) => (scene.layout === "figure" ? scene.content.picture : []));
  return [...new Map(shown.map((picture) => [picture.sha256, picture])).values()];
}
