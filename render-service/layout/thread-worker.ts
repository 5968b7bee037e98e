import { parentPort } from "node:worker_threads";
import type { Placed } from "@colloquy/schemas/explainers/placed.ts";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { fontsOf } from "./fonts.ts";
import { placeScene } from "./place.ts";
import { stillMostMs, stillnessOf } from "./stillness.ts";
import type { Answers, Task } from "./thread.ts";

/** Scenes whose author says when things happen. */
const directed: ReadonlySet<Scene["layout"]> = new Set([
  "build",
  "plane",
  "number-line",
  "derive",
  "timeline",
  "forgetting",
  "trace",
  "table",
  "figure",
]);

function stillFindings({ layout }: Scene, placed: Placed): string[] {
  if (!directed.has(layout)) return [];
  const { from, to } = stillnessOf(placed).longest;
  if (to - from <= stillMostMs) return [];
  const [seconds, at] = [to - from, from].map((ms) => (ms / 1_000).toFixed(1));
  return [`Nothing changes for ${seconds} seconds from ${at} s on: let something appear or move there, or say less.`];
}

/** Findings of a scene in both aspects, without duplicates. */
function findingsOf(scene: Scene, language: string): string[] {
  const [wide = [], tall = []] = (["16:9", "9:16"] as const).map((aspect) => {
    const placed = placeScene(scene, { aspect, language, seconds: scene.seconds });
    return placed.kind === "refused" ? placed.findings : stillFindings(scene, placed);
  });
  return [...wide, ...tall.filter((finding) => !wide.includes(finding)).map((finding) => `In the tall picture: ${finding}`)];
}

function placedFor({ scene, place }: Extract<Task, { task: "place" }>): Answers["place"] {
  const placed = placeScene(scene, place);
  return placed.kind === "refused"
    ? placed
    : { kind: "placed", placed, fonts: fontsOf(placed.items), length: JSON.stringify(placed).length };
}

parentPort?.on("message", (task: Task) =>
  parentPort?.postMessage(task.task === "check" ? findingsOf(task.scene, task.language) : placedFor(task)),
);
parentPort?.postMessage("ready");
