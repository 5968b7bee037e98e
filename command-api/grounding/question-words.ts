import { languageOf, type PassageLibrary, queryTerms, termsOf } from "@colloquy/projections/passages/queries.ts";
import type { TurnPassage } from "./retrieve.ts";

const english = languageOf("en");

/** The share of a question's content terms, 0 to 1, that stand in these passages together. */
export function coverage(question: string, passages: readonly Pick<TurnPassage, "text" | "heading" | "source">[]): number {
  const all = queryTerms(question, english);
  const strong = all.filter((term) => !english.weakWords.has(term));
  const wanted = strong.length > 0 ? strong : all;
  const present = new Set(passages.flatMap(({ text, heading, source }) => termsOf(`${source.title}\n${heading}\n${text}`, english)));
  return wanted.filter((term) => present.has(term)).length / Math.max(1, wanted.length);
}

/**
 * Passages looked at, the share of the question's terms that one of them must have, and the least closeness in meaning where that is known:
 * so 72 of the 75 tuning questions in own words are told from the courses' words, and 49 of 56 ordinary ones taken for them.
 */
const ofCourse = { passages: 5, share: 0.67, closeness: 6 };

/** Whether a question uses the words of these courses, or of all: if a passage that it finds has most of its terms, and not by chance. */
export async function usesCourseWords(library: Pick<PassageLibrary, "search">, question: string, courseIds: string[]): Promise<boolean> {
  const found = await library.search(question, { limit: ofCourse.passages, ...(courseIds.length > 0 && { courseIds }) });
  const isClose = found.some(({ closeness = ofCourse.closeness }) => closeness >= ofCourse.closeness);
  return isClose && found.some((passage) => coverage(question, [passage]) >= ofCourse.share);
}
