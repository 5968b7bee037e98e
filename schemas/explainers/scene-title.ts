import type { Scene } from "./storyboard.ts";

/** What a scene is called: its heading, or the question it asks. Apart from the schemas, which pages load late. Pure. */
export const sceneTitle = (scene: Scene): string => (scene.layout === "question" ? scene.content.question : scene.content.heading);
