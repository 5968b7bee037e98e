import type { PassageLibrary, RankedPassage } from "@colloquy/projections/passages/queries.ts";
import { languageOf, queryTerms, termsOf } from "@colloquy/projections/passages/queries.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import type { TutorGoalRequest, TutorGoalResponse } from "@colloquy/schemas/tutor/requests.ts";
import { aimOf, isWholeCourse } from "./aim.ts";
import type { TutorCourses } from "./course.ts";
import { closenessOf } from "./objectives.ts";

/** Passages that are searched for the words of a goal. */
const searchedPassages = 20;
/** Closeness to an objective from which a goal is related although it shares no words, and below which shared words are an accident. */
const related = { alone: 0.4, withWords: 0.22 };

/** Whether a goal is related to its course. Asked before a session starts; decisions in a session do not depend on it. */
export async function checkGoal(
  { library, courses }: { library: PassageLibrary; courses: TutorCourses },
  { courseId, goal }: TutorGoalRequest,
): Promise<TutorGoalResponse> {
  const { language } = await courses.live(courseId);
  const aim = aimOf(goal);
  const isRelated = async (id: string, passages: readonly RankedPassage[]): Promise<boolean> => {
    const course = await courses.live(id);
    const terms = significantTerms(aim, course.language);
    if (terms.length === 0 || isWholeCourse(aim)) return true;
    const hasWords = mentions(terms, course.language, passages);
    const close = await closenessOf(library, course, aim);
    return close === null ? hasWords : Math.max(0, ...close) >= (hasWords ? related.withWords : related.alone);
  };
  if (await isRelated(courseId, await library.search(aim, { courseIds: [courseId], limit: searchedPassages })))
    return versioned({ related: true, elsewhere: [], language });
  const found = Map.groupBy(await library.search(aim, { limit: bounds.references.results }), (passage) => passage.courseId);
  const others = [...found.keys()].filter((id) => id !== courseId).slice(0, bounds.tutor.otherCourses);
  const elsewhere = await Promise.all(
    others.map(async (id) => {
      if (!(await isRelated(id, found.get(id) ?? []))) return [];
      const { title, language: of } = await courses.live(id);
      return [{ courseId: id, title, language: of }];
    }),
  );
  return versioned({ related: false, elsewhere: elsewhere.flat(), language });
}

/** The terms of a goal that say what it is about; a goal without any is related to every course. */
function significantTerms(goal: string, tag: string): string[] {
  const language = languageOf(tag);
  return queryTerms(goal, language).filter((term) => !language.weakWords.has(term));
}

/**
 * Whether a passage contains two of these terms or their synonyms; one is enough where there are fewer than three. A single word of a goal
 * occurs in every long course.
 */
function mentions(terms: readonly string[], tag: string, passages: readonly RankedPassage[]): boolean {
  const language = languageOf(tag);
  const enough = terms.length < 3 ? 1 : 2;
  return passages.some(({ heading, text, source }) => {
    const standing = new Set(termsOf([source.title, ...source.trail.slice(1), heading, text].join("\n"), language));
    const known = terms.filter((term) => [term, ...(language.synonyms.get(term) ?? [])].some((said) => standing.has(said)));
    return known.length >= enough;
  });
}
