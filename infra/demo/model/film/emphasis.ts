import type { Emphasis } from "@colloquy/schemas/explainers/storyboard.ts";
import { isWarning } from "@colloquy/schemas/explainers/warnings.ts";
import type { Candidate } from "./scene.ts";
import type { FilmWords } from "./words.ts";

/** What shows more than sentences. */
export const shows = ({ layout }: Candidate): boolean => layout !== "points" && layout !== "recap";
/** Pictures of an idea: there are few of them, and they show what words cannot. */
export const drawings: ReadonlySet<Candidate["layout"]> = new Set(["diagram", "figure", "plot", "trace", "table", "compare"]);
const worked: ReadonlySet<Candidate["layout"]> = new Set(["trace", "code", "formula", "plot"]);

/** What a program says when something went wrong. */
const failure = /\b(?:no such file|not found|cannot|can't|denied|error|failed|failure|invalid|illegal|exception|traceback|unexpected)\b/iu;
/** Whether a scene shows something going wrong: a failed command, or what the course warns of. */
export const showsMistake = ({ narration, content, quotes, layout }: Candidate, language: string): boolean =>
  layout === "code" && failure.test(content.code ?? "")
    ? true
    : isWarning(narration, language) && (quotes[0]?.passage.kind === "callout" || layout === "compare" || layout === "diagram");

/** What a film of an emphasis lacks of what it promises, in words for the learner; null where it has it. */
export function missingOf(emphasis: Emphasis, scenes: readonly Candidate[], language: string, own: FilmWords["refusals"]): string | null {
  switch (emphasis) {
    case "intuition":
      return scenes.some(({ layout }) => drawings.has(layout)) ? null : own.noPicture;
    case "worked-example":
      return scenes.filter(({ layout }) => worked.has(layout)).length > 1 ? null : own.noExample;
    case "common-mistakes":
      return scenes.some((scene) => showsMistake(scene, language)) ? null : own.noMistake;
    case "exam-recap":
      return scenes.some(({ layout }) => layout === "recap") ? null : own.noKeyPoints;
  }
}
