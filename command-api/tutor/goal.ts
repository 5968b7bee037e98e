import type { PassageLibrary, RankedPassage } from "@colloquy/projections/passages/queries.ts";
import { languageOf, queryTerms, termsOf } from "@colloquy/projections/passages/queries.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import type { TutorGoalRequest, TutorGoalResponse } from "@colloquy/schemas/tutor/requests.ts";
import type { TutorCourses } from "./course.ts";

/** Passages that are searched for the words of a goal. */
const searchedPassages = 20;

/** Whether a goal is related to its course. Asked before a session starts; decisions in a session do not depend on it. */
export async function checkGoal(
  { library, courses }: { library: PassageLibrary; courses: TutorCourses },
  { courseId, goal }: TutorGoalRequest,
): Promise<TutorGoalResponse> {
  const course = await courses.live(courseId);
  const own = await library.search(goal, { courseIds: [courseId], limit: searchedPassages });
  if (mentions(goal, course.language, own)) return versioned({ related: true, elsewhere: [], language: course.language });
  const found = Map.groupBy(await library.search(goal, { limit: bounds.references.results }), (passage) => passage.courseId);
  const others = [...found.keys()].filter((id) => id !== courseId).slice(0, bounds.tutor.otherCourses);
  const elsewhere = await Promise.all(
    others.map(async (id) => {
      const { title, language } = await courses.live(id);
      return mentions(goal, language, found.get(id) ?? []) ? [{ courseId: id, title, language }] : [];
    }),
  );
  return versioned({ related: false, elsewhere: elsewhere.flat(), language: course.language });
}

/**
 * Whether a passage contains two of the goal's significant words or their synonyms; one is enough for a goal with fewer than three. A
 * single word of a goal occurs in every long course. A goal without significant words is related to every course.
 */
function mentions(goal: string, tag: string, passages: readonly RankedPassage[]): boolean {
  const language = languageOf(tag);
  const terms = queryTerms(goal, language).filter((term) => !language.weakWords.has(term));
  if (terms.length === 0) return true;
  const enough = terms.length < 3 ? 1 : 2;
  return passages.some(({ heading, text, source }) => {
    const standing = new Set(termsOf([source.title, ...source.trail.slice(1), heading, text].join("\n"), language));
    const known = terms.filter((term) => [term, ...(language.synonyms.get(term) ?? [])].some((said) => standing.has(said)));
    return known.length >= enough;
  });
}
