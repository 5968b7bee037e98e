import type { Finding } from "@colloquy/schemas/explainers/review.ts";
import type { Emphasis, Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { isWarning } from "@colloquy/schemas/explainers/warnings.ts";

type Layout = Scene["layout"];

/** Formulas as they are written, and what shows the idea behind them. */
const formulas: ReadonlySet<Layout> = new Set(["formula", "derive"]);
const pictures: ReadonlySet<Layout> = new Set([
  "diagram",
  "build",
  "plot",
  "plane",
  "number-line",
  "timeline",
  "forgetting",
  "figure",
  "table",
  "trace",
]);
/** What can be worked through. */
const worked: ReadonlySet<Layout> = new Set([...formulas, ...pictures, "code"]);

/** Whether a film is what its emphasis promises. Pure. */
export function emphasisFindings(scenes: readonly Scene[], emphasis: Emphasis, language: string): Finding[] {
  const between = scenes.slice(1, -1);
  const found = (detail: string, scene: Scene | null = null): Finding[] => [
    { sceneId: scene?.sceneId ?? null, problem: "off_topic", detail, by: "application" },
  ];
  switch (emphasis) {
    case "intuition": {
      const formula = between.findIndex(({ layout }) => formulas.has(layout));
      const picture = between.findIndex(({ layout }) => pictures.has(layout));
      if (formula < 0 || (picture >= 0 && picture < formula)) return [];
      return found("A video for the intuition shows a picture before any formula: put one before this scene.", between[formula]);
    }
    case "worked-example":
      return between.some(({ layout }) => worked.has(layout)) ? [] : found("No scene works an example through.");
    case "common-mistakes": {
      const texts = between.flatMap(({ narration, quotes }) => [narration, ...quotes.map(({ quote }) => quote)]);
      return texts.some((text) => isWarning(text, language)) ? [] : found("No scene shows a mistake that the page warns of.");
    }
    case "exam-recap":
      return [];
  }
}
