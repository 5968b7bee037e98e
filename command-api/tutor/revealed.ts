import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Quiz } from "@colloquy/schemas/quiz/quiz.ts";
import { exists, type TutorState } from "@colloquy/schemas/tutor/state.ts";
import type { TutorCourse } from "./course.ts";
import { revealedBy } from "./questioned.ts";
import type { TutorSessions } from "./sessions.ts";
import { itemsWithShownKeys, type Statement, statementsIn } from "./shown-texts.ts";

/** The quizzes that an account was given, with their times. */
export type QuizzesOf = (accountId: string) => Promise<readonly { at: string; quiz: Quiz }[]>;

/** Ids of an account's sessions of a course, the one used last first. */
export type SessionsOf = (accountId: string, courseId: string) => Promise<string[]>;

/** Sessions that are looked at for what an account was asked before. */
const mostSessions = 20;

/** An account's sessions of a course that were used last. */
export async function sessionsOfCourse(
  { sessions, sessionsOf }: { sessions: Pick<TutorSessions, "load">; sessionsOf?: SessionsOf },
  accountId: string,
  courseId: string,
): Promise<TutorState[]> {
  const ids = ((await sessionsOf?.(accountId, courseId)) ?? []).slice(0, mostSessions);
  const states = await Promise.all(ids.map(async (id) => (await sessions.load(id)).state));
  return states.filter((state) => exists(state) && state.accountId === accountId);
}

const dayMs = 86_400_000;

/**
 * The statements whose truth an account was shown outside of a session: by pages, by quizzes and by its other sessions, unless
 * these were not used for a month (`bounds.tutor.shownDays`).
 * @param at RFC 3339
 */
export async function revealedTo(
  needs: { quizzesOf?: QuizzesOf; sessions: Pick<TutorSessions, "load">; sessionsOf?: SessionsOf },
  accountId: string,
  { courseId, shownOnPages }: Pick<TutorCourse, "courseId" | "shownOnPages">,
  { sessionId, at }: { sessionId: string; at: string },
): Promise<Statement[]> {
  const [quizzes = [], states] = await Promise.all([needs.quizzesOf?.(accountId), sessionsOfCourse(needs, accountId, courseId)]);
  const since = Date.parse(at) - bounds.tutor.shownDays * dayMs;
  const recent = states.filter((state) => state.sessionId !== sessionId && Date.parse(state.updatedAt) >= since);
  const elsewhere = recent.flatMap(itemsWithShownKeys);
  const asked = revealedBy(quizzes.flatMap(({ quiz }) => quiz.questions));
  const statements = [...shownOnPages, ...asked, ...elsewhere.flatMap(statementsIn)];
  return [...new Map(statements.map((one) => [one.id, one])).values()];
}
