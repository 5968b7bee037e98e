import { ColloquyAsk, ColloquyCourse, ColloquyExplainer, ColloquyQuiz, ColloquyTutor } from "./elements.ts";

export { setService } from "./element.ts";
export { ColloquyAsk, ColloquyCourse, ColloquyExplainer, ColloquyQuiz, ColloquyTutor } from "./elements.ts";
export type { EmbeddedCitation, EmbeddedProgress, EmbeddedQuiz, EmbedState } from "./types.ts";

/** The script that pages load: defines the elements. A name that another version has defined stays as it is. */
for (const [tag, element] of [
  ["colloquy-ask", ColloquyAsk],
  ["colloquy-tutor", ColloquyTutor],
  ["colloquy-quiz", ColloquyQuiz],
  ["colloquy-explainer", ColloquyExplainer],
  ["colloquy-course", ColloquyCourse],
] as const)
  if (!customElements.get(tag)) customElements.define(tag, element);
