import { ColloquyAsk, ColloquyCourse, ColloquyExplainer, ColloquyQuiz, ColloquyTutor } from "./elements.ts";

export { setService } from "./element.ts";
export { ColloquyAsk, ColloquyCourse, ColloquyExplainer, ColloquyQuiz, ColloquyTutor } from "./elements.ts";
export type { EmbeddedCitation, EmbeddedProgress, EmbeddedQuiz, EmbedState } from "./types.ts";

/** What a page loads: names the elements. A name that is taken, by another version of this script, stays whose it is. */
for (const [tag, element] of [
  ["colloquy-ask", ColloquyAsk],
  ["colloquy-tutor", ColloquyTutor],
  ["colloquy-quiz", ColloquyQuiz],
  ["colloquy-explainer", ColloquyExplainer],
  ["colloquy-course", ColloquyCourse],
] as const)
  if (!customElements.get(tag)) customElements.define(tag, element);
