import { ColloquyAsk, ColloquyCourse, ColloquyQuiz } from "./elements.ts";

export { setService } from "./element.ts";
export { ColloquyAsk, ColloquyCourse, ColloquyQuiz } from "./elements.ts";

/** What a page loads: names the elements. A name that is taken, by another version of this script, stays whose it is. */
for (const [tag, element] of [
  ["colloquy-ask", ColloquyAsk],
  ["colloquy-quiz", ColloquyQuiz],
  ["colloquy-course", ColloquyCourse],
] as const)
  if (!customElements.get(tag)) customElements.define(tag, element);
