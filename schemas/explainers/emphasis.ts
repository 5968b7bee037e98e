import type { Emphasis, SceneLayout } from "./storyboard.ts";
import { isWarning } from "./warnings.ts";

/** What is read of a scene to say whether it serves an emphasis. */
export interface EmphasisScene {
  layout: SceneLayout;
  narration: string;
  /** Words of the page. */
  quotes: readonly string[];
  /** Of a code scene its code, of a trace what it prints. */
  code?: string | undefined;
  /** It stands on what the page marks as a warning, such as a callout. */
  isWarned: boolean;
  /** It stands on what the page says is to be known: its key points, a displayed formula. */
  isKept: boolean;
}
/** What an emphasis promises. */
export type Promised = "picture" | "example" | "mistake" | "rule";

/** Formulas as they are written, and what shows the idea behind them. */
export const isFormula = (layout: SceneLayout): boolean => layout === "formula" || layout === "derive";
const pictures: ReadonlySet<SceneLayout> = new Set([
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
  "compare",
]);
export const isPicture = (layout: SceneLayout): boolean => pictures.has(layout);
/** What only stands there, side by side, is no example. */
const unworked: ReadonlySet<SceneLayout> = new Set(["title", "points", "compare", "recap", "question"]);

/** What a program says when something went wrong. */
const failure = /\b(?:no such file|not found|cannot|can't|denied|error|failed|failure|invalid|illegal|exception|traceback|unexpected)\b/iu;

/** A message of a program, a remark or a name of an error: a poem that is printed may have “not found” as well. */
const isMessage = /:|--|#|\w(?:Error|Exception)\b|^\s*(?:error|fatal|traceback)\b/iu;

export const showsFailure = ({ layout, code = "" }: Pick<EmphasisScene, "layout" | "code">): boolean =>
  (layout === "code" || layout === "trace") && code.split("\n").some((line) => failure.test(line) && isMessage.test(line));

/** Whether a scene shows something going wrong: a failed command, or what the page warns of; a teacher's own warning is none. Pure. */
export const showsMistake = ({ narration, quotes, isWarned, ...shown }: EmphasisScene, language: string): boolean =>
  showsFailure(shown) || quotes.some((quote) => isWarning(quote, language)) || (isWarned && isWarning(narration, language));

/** What the scenes between title and question lack of what their emphasis promises; null if nothing. Pure. @param language BCP 47 */
export function missingOf(scenes: readonly EmphasisScene[], emphasis: Emphasis, language: string): Promised | null {
  switch (emphasis) {
    case "intuition":
      return scenes.some(({ layout }) => isPicture(layout)) ? null : "picture";
    case "worked-example":
      return scenes.some(({ layout }) => !unworked.has(layout)) ? null : "example";
    case "common-mistakes":
      return scenes.some((scene) => showsMistake(scene, language)) ? null : "mistake";
    case "exam-recap":
      return scenes.some(({ layout, isKept }) => isKept || isFormula(layout) || layout === "recap") ? null : "rule";
  }
}
