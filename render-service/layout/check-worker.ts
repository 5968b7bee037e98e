import { parentPort } from "node:worker_threads";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { placeScene } from "./place.ts";

/** Findings of a scene in both aspects, without duplicates. */
function findingsOf(scene: Scene, language: string): string[] {
  const [wide = [], tall = []] = (["16:9", "9:16"] as const).map((aspect) => {
    const placed = placeScene(scene, { aspect, language, seconds: scene.seconds });
    return placed.kind === "refused" ? placed.findings : [];
  });
  return [...wide, ...tall.filter((finding) => !wide.includes(finding)).map((finding) => `In the tall picture: ${finding}`)];
}

parentPort?.on("message", ({ scene, language }: { scene: Scene; language: string }) =>
  parentPort?.postMessage(findingsOf(scene, language)),
);
parentPort?.postMessage("ready");
