import type { Scene } from "./storyboard.ts";

/** A scene's title: its heading or question. Without zod, which pages load late. Pure. */
export const sceneTitle = (scene: Scene): string => (scene.layout === "question" ? scene.content.question : scene.content.heading);
