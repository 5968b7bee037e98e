import { type EmphasisScene, isFormula, isPicture, missingOf, type Promised } from "@colloquy/schemas/explainers/emphasis.ts";
import type { Finding } from "@colloquy/schemas/explainers/review.ts";
import type { Emphasis, Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { isWarning } from "@colloquy/schemas/explainers/warnings.ts";
import type { CheckedPassage } from "./found.ts";

const lacks: Record<Promised, string> = {
  picture: "A video for the intuition shows a picture: no scene has one.",
  example: "No scene works an example through.",
  rule: "No scene gathers up what must be known: a recap, a formula, or key points of the page.",
  mistake: "No scene shows a mistake that the page warns of: quote the warning.",
};

/** What is read of a scene to say whether it serves an emphasis. */
function read(
  { layout, content, narration, quotes, sourceIds }: Scene,
  passages: readonly CheckedPassage[],
  language: string,
): EmphasisScene {
  const own = passages.filter(({ sourceId }) => sourceIds.includes(sourceId));
  return {
    layout,
    narration,
    quotes: quotes.map(({ quote }) => quote),
    code: layout === "code" ? content.code : layout === "trace" ? content.printed : undefined,
    isKept: own.some(({ role }) => role === "key-points" || role === "math"),
    isWarned: own.some(({ role, heading = "" }) => role === "callout" || isWarning(heading, language)),
  };
}

/**
 * Whether a film is what its emphasis promises. Pure.
 * @param passages all of the topic
 */
export function emphasisFindings(
  scenes: readonly Scene[],
  emphasis: Emphasis,
  { language, passages }: { language: string; passages: readonly CheckedPassage[] },
): Finding[] {
  const between = scenes.slice(1, -1);
  const found = (detail: string, scene: Scene | null = null): Finding[] => [
    { sceneId: scene?.sceneId ?? null, problem: "off_topic", detail, by: "application" },
  ];
  const missing = missingOf(
    between.map((scene) => read(scene, passages, language)),
    emphasis,
    language,
  );
  if (missing !== null) return found(lacks[missing]);
  const first = between.find(({ layout }) => isFormula(layout) || isPicture(layout));
  return emphasis === "intuition" && first && isFormula(first.layout)
    ? found("A video for the intuition shows a picture before any formula: put one before this scene.", first)
    : [];
}
