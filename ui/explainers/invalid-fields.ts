import { type Scene, scene as sceneSchema } from "@colloquy/schemas/explainers/storyboard.ts";
import { config } from "zod";

// Our pages' policy lets no text become code.
config({ jitless: true });

/** Fields that are not as they must be, by their path in the scene joined by dots. Loaded when somebody changes a scene. */
export function invalidFieldsOf(scene: Scene): ReadonlySet<string> {
  const { error } = sceneSchema.safeParse(scene);
  return new Set(error?.issues.map(({ path }) => path.join(".")) ?? []);
}
