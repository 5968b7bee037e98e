import { readFileSync } from "node:fs";
import type { Scene, SceneContent, SceneLayout } from "@colloquy/schemas/explainers/storyboard.ts";
import { type Storyboard, storyboard } from "@colloquy/schemas/explainers/storyboard.ts";

/** A scene of some content. */
export const sceneOf = <Layout extends SceneLayout>(
  layout: Layout,
  content: SceneContent<Layout>,
  narration = "One word and another.",
): Scene =>
  ({
    sceneId: "scene-of-a-test",
    layout,
    content,
    narration,
    seconds: 8,
    sourceIds: ["source-0001"],
    quotes: [{ sourceId: "source-0001", quote: "word" }],
  }) as unknown as Scene;

/** The sample storyboards that contact sheets are made of. */
export const samples: Storyboard[] = [
  "pipes-en",
  "derivatives-en",
  "zustaende-de",
  "anabib-ar",
  "plane-en",
  "tangents-en",
  "number-line-en",
  "build-en",
  "derive-en",
  "timeline-en",
  "forgetting-en",
  "trace-en",
  "table-en",
  "figure-en",
].map((name) => storyboard.parse(JSON.parse(readFileSync(new URL(`../../drawing/samples/${name}.json`, import.meta.url), "utf8"))));

export const aspects = ["16:9", "9:16"] as const;
