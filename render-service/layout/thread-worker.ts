import { parentPort } from "node:worker_threads";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { fontsOf } from "./fonts.ts";
import { placeScene } from "./place.ts";
import { stillFindings, stillnessOf } from "./stillness.ts";
import type { Answers, Task } from "./thread.ts";

/** Findings of a scene in both aspects, without duplicates, and for how long it changes in the aspect in which it changes less. */
function checked(scene: Scene, language: string): Answers["check"] {
  const made = (["16:9", "9:16"] as const).map((aspect) => {
    const placed = placeScene(scene, { aspect, language, seconds: scene.seconds });
    return placed.kind === "refused"
      ? { findings: placed.findings, changingMs: 0 }
      : { findings: stillFindings(scene.layout, placed), changingMs: stillnessOf(placed).changingMs };
  });
  const [wide = [], tall = []] = made.map(({ findings }) => findings);
  const findings = [...wide, ...tall.filter((finding) => !wide.includes(finding)).map((finding) => `In the tall picture: ${finding}`)];
  return { findings, changingMs: Math.min(...made.map(({ changingMs }) => changingMs)) };
}

function placedFor({ scene, place }: Extract<Task, { task: "place" }>): Answers["place"] {
  const placed = placeScene(scene, place);
  return placed.kind === "refused"
    ? placed
    : { kind: "placed", placed, fonts: fontsOf(placed.items), length: JSON.stringify(placed).length };
}

parentPort?.on("message", (task: Task) =>
  parentPort?.postMessage(task.task === "check" ? checked(task.scene, task.language) : placedFor(task)),
);
parentPort?.postMessage("ready");
