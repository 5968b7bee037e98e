import type { Quiz } from "@colloquy/schemas/quiz/quiz.ts";
import type { TutorCourse } from "./course.ts";
import { revealedBy } from "./questioned.ts";
import type { Statement } from "./shown-texts.ts";

/** The quizzes that an account was given, with their times. */
export type QuizzesOf = (accountId: string) => Promise<readonly { at: string; quiz: Quiz }[]>;

/** The statements whose truth an account was shown outside of tutoring sessions. */
export async function revealedTo(
  { quizzesOf }: { quizzesOf?: QuizzesOf },
  accountId: string,
  { selfChecked }: Pick<TutorCourse, "selfChecked">,
): Promise<Statement[]> {
  const quizzes = (await quizzesOf?.(accountId)) ?? [];
  return [...selfChecked, ...revealedBy(quizzes.flatMap(({ quiz }) => quiz.questions))];
}
