import type { KnownSession } from "@colloquy/projections/tutor/queries.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Quiz } from "@colloquy/schemas/quiz/quiz.ts";
import { exists, type TutorState } from "@colloquy/schemas/tutor/state.ts";
import type { TutorCourse } from "./course.ts";
import { revealedBy } from "./questioned.ts";
import type { TutorSessions } from "./sessions.ts";
import type { Statement } from "./shown-texts.ts";

/** The quizzes that an account was given, with their times. */
export type QuizzesOf = (accountId: string) => Promise<readonly { at: string; quiz: Quiz }[]>;

/** An account's sessions of a course, the one used last first. */
export type SessionsOf = (accountId: string, courseId: string) => Promise<KnownSession[]>;

/** Sessions that are looked at for what an account was asked before. */
const mostSessions = 20;

/** An account's sessions of a course that were used last. */
export async function sessionsOfCourse(
  { sessions, sessionsOf }: { sessions: Pick<TutorSessions, "load">; sessionsOf: SessionsOf },
  accountId: string,
  courseId: string,
): Promise<TutorState[]> {
  const known = (await sessionsOf(accountId, courseId)).slice(0, mostSessions);
  const states = await Promise.all(known.map(async ({ sessionId }) => (await sessions.load(sessionId)).state));
  return states.filter((state) => exists(state) && state.accountId === accountId);
}

const dayMs = 86_400_000;

/**
 * The statements whose truth an account was shown outside of a session: by pages, by quizzes and by its other sessions, unless
 * these were not used for a month (`bounds.tutor.shownDays`).
 * @param at RFC 3339
 */
export async function revealedTo(
  { quizzesOf, sessions, sessionsOf }: { quizzesOf?: QuizzesOf; sessions: Pick<TutorSessions, "shown">; sessionsOf?: SessionsOf },
  accountId: string,
  { courseId, shownOnPages }: Pick<TutorCourse, "courseId" | "shownOnPages">,
  { sessionId, at }: { sessionId: string; at: string },
): Promise<Statement[]> {
  const [quizzes = [], known = []] = await Promise.all([quizzesOf?.(accountId), sessionsOf?.(accountId, courseId)]);
  const others = known.slice(0, mostSessions).filter((one) => one.sessionId !== sessionId);
  const shown = await Promise.all(others.map((one) => sessions.shown(one.sessionId, one.version)));
  const since = Date.parse(at) - bounds.tutor.shownDays * dayMs;
  const elsewhere = shown.flatMap((one) => (one?.accountId === accountId && Date.parse(one.updatedAt) >= since ? one.statements : []));
  const asked = revealedBy(quizzes.flatMap(({ quiz }) => quiz.questions));
  const statements = [...shownOnPages, ...asked, ...elsewhere];
  return [...new Map(statements.map((one) => [one.id, one])).values()];
}
