import { sentencesOf } from "../segments.ts";
import { terms } from "../terms.ts";
import type { Candidate } from "./scene.ts";

/** Whether so large a share of the words of a text is among others. */
export function hasMostOf(held: readonly string[], wanted: readonly string[], least = 0.5): boolean {
  const all = new Set(wanted);
  return [...all].filter((term) => held.includes(term)).length > all.size * least;
}

/** What is read is spoken of; what is said may say more. */
const spokenLeast = 0.6;

/** Whether a list shows what is said: each line has most of its words in a sentence, and each sentence in the lines that it speaks of. */
export function showsWhatIsSaid({ narration, content: { points: shown = [] } }: Pick<Candidate, "narration" | "content">): boolean {
  const lines = shown.map(terms);
  const sentences = sentencesOf(narration).map((sentence) => {
    const said = terms(sentence);
    return { said, of: lines.filter((line) => hasMostOf(said, line, spokenLeast)) };
  });
  return (
    lines.every((line) => sentences.some(({ of }) => of.includes(line))) && sentences.every(({ said, of }) => hasMostOf(of.flat(), said))
  );
}
