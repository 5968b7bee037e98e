import { ProblemError } from "@colloquy/infra/http/problem.ts";
import type { Scene, Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";

/** Scenes may be changed, removed and reordered, but not added. @throws {ProblemError} `invalid_request` */
export function refuseUnknownScenes(scenes: readonly Scene[], { scenes: present }: Storyboard): void {
  const known = new Set(present.map(({ sceneId }) => sceneId));
  const fields = scenes.flatMap(({ sceneId }, index) =>
    known.has(sceneId) ? [] : [{ path: `scenes.${index}.sceneId`, message: "the storyboard has no such scene" }],
  );
  if (fields.length > 0) throw new ProblemError("invalid_request", { fields });
}
