import {
  type EmphasisScene,
  missingOf as missingIn,
  showsFailure,
  showsMistake as showsOne,
} from "@colloquy/schemas/explainers/emphasis.ts";
import type { Emphasis } from "@colloquy/schemas/explainers/storyboard.ts";
import type { Candidate } from "./scene.ts";
import type { FilmWords } from "./words.ts";

/** What shows more than sentences. */
export const shows = ({ layout }: Candidate): boolean => layout !== "points" && layout !== "recap";
const worked: ReadonlySet<Candidate["layout"]> = new Set(["trace", "code", "formula", "plot"]);

const readOf = ({ layout, narration, content, quotes }: Candidate): EmphasisScene => ({
  layout,
  narration,
  quotes: quotes.map(({ quote }) => quote),
  code: layout === "trace" ? content.printed : content.code,
  isKept: quotes.some(({ passage }) => passage.kind === "key-points" || passage.kind === "math"),
  isWarned: quotes.some(({ passage }) => passage.kind === "callout"),
});
/** Whether a scene shows a mistake as this model chooses one: a failed command, a call-out, or a contrast. */
export function showsMistake(scene: Candidate, language: string): boolean {
  const read = readOf(scene);
  return showsOne(read, language) && (read.isWarned || showsFailure(read) || scene.layout === "compare" || scene.layout === "diagram");
}

/** What a film of an emphasis lacks of what it promises, in words for the learner; null where it has it. */
export function missingOf(emphasis: Emphasis, scenes: readonly Candidate[], language: string, own: FilmWords["refusals"]): string | null {
  const missing = missingIn(scenes.map(readOf), emphasis, language);
  if (missing !== null) return { picture: own.noPicture, example: own.noExample, mistake: own.noMistake, rule: own.noKeyPoints }[missing];
  // One scene of these is soon worked through.
  if (emphasis === "common-mistakes" && scenes.filter((scene) => showsMistake(scene, language)).length < 2) return own.noMistake;
  if (emphasis === "worked-example" && scenes.filter(({ layout }) => worked.has(layout)).length < 2) return own.noExample;
  return emphasis === "exam-recap" && !scenes.some(({ layout }) => layout === "recap") ? own.noKeyPoints : null;
}
