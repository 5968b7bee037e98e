import { type Scene, scene as sceneSchema } from "@colloquy/schemas/explainers/storyboard.ts";
import { config } from "zod";

// The content security policy forbids eval, which zod would use.
config({ jitless: true });

/** Paths of a scene's invalid fields, joined by dots. Loaded when a scene is edited. */
export function invalidFieldsOf(scene: Scene): ReadonlySet<string> {
  const { error } = sceneSchema.safeParse(scene);
  return new Set(error?.issues.map(({ path }) => path.join(".")) ?? []);
}
