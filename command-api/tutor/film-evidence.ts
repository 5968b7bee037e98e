import { WrongExpectedRevision } from "@colloquy/infra/event-store/client.ts";
import { eventIdFrom } from "@colloquy/infra/event-store/event-id.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { canonicalText, sha256 } from "@colloquy/infra/ledger/chain.ts";
import type { PassageLibrary } from "@colloquy/projections/passages/queries.ts";
import type { Counted, UnrecordedReason } from "@colloquy/schemas/explainers/evidence.ts";
import type { TutorState } from "@colloquy/schemas/tutor/state.ts";
import { objectiveOf, type TutorCourse, type TutorCourses } from "./course.ts";
import { decide } from "./decider.ts";
import { type FilmQuestion, filmItem } from "./items.ts";
import { unrecordedBecause } from "./policy.ts";
import type { TutorContext, TutorSessions } from "./sessions.ts";
import { decided, ownSession, turnKeeping } from "./turn-keeping.ts";

/** A film whose closing question is answered, with what it is about. */
export type AnsweredFilm = FilmQuestion & { courseId: string; topicId: string; courseRevisionId: string };

export interface FilmEvidenceKeeping {
  /**
   * The session the answer is to become evidence in: of the one that is named and the account's other open ones of the course the first
   * that can take it; else why not, as the first of them says. Records nothing.
   * @throws {ProblemError} `not_found` when the one that is named is not the account's
   */
  place(
    context: TutorContext,
    film: AnsweredFilm,
    sessionId: string | null,
  ): Promise<{ sessionId: string } | { unrecorded: UnrecordedReason }>;
  /** Makes the answer evidence there, once for each film, however often this is asked. */
  record(context: TutorContext, film: AnsweredFilm, answer: { sessionId: string; choice: number }): Promise<Counted>;
}

interface Needs {
  sessions: TutorSessions;
  courses: TutorCourses;
  library: PassageLibrary;
  /** Ids of the account's sessions of a course that are not completed, the one used last first. */
  openSessions(accountId: string, courseId: string): Promise<string[]>;
  now(): string;
}

/** Tries against others that move the same session. */
const tries = 10;

/** What is answered at the end of a film becomes evidence of a tutoring session here. */
export function filmEvidence({ sessions, courses, library, openSessions, now }: Needs): FilmEvidenceKeeping {
  const { inTurn } = turnKeeping({ sessions, courses });

  /** What a session would take the answer as, or why it would not. */
  async function taking(
    state: TutorState,
    { courseId, courseRevisionId, topicId, question }: AnsweredFilm,
  ): Promise<{ course: TutorCourse; objectiveId: string; objective: string } | { unrecorded: UnrecordedReason }> {
    if (state.courseId !== courseId || state.ledger.phase === "completed") return { unrecorded: "no_session" };
    const live = await courses.liveRevision(courseId);
    if (live !== courseRevisionId || !(await courses.goesOn(state, live))) return { unrecorded: "other_revision" };
    const course = await courses.live(courseId);
    // Published anew while the two were compared: what the session stands on may be another in this one.
    if (course.revisionId !== live) return { unrecorded: "other_revision" };
    const objective = await objectiveOf(library, course, state.objectives, { topicId, sourceIds: question.sourceIds });
    const unrecorded = unrecordedBecause(state, objective?.objectiveId ?? null);
    if (unrecorded || !objective) return { unrecorded: unrecorded ?? "no_objective" };
    return { course, objectiveId: objective.objectiveId, objective: objective.title };
  }

  return {
    async place(context, film, sessionId) {
      if (sessionId !== null) await ownSession(sessions, context, sessionId);
      const open = await openSessions(context.accountId, film.courseId);
      let why: UnrecordedReason | null = null;
      for (const id of new Set([...(sessionId === null ? [] : [sessionId]), ...open])) {
        const { state } = await sessions.load(id);
        const taken = await taking(state, film);
        if (!("unrecorded" in taken)) return { sessionId: id };
        why ??= taken.unrecorded;
      }
      return { unrecorded: why ?? "no_session" };
    },

    record(context, film, { sessionId, choice }) {
      const requestId = eventIdFrom("film answered", film.jobId);
      return inTurn(sessionId, async () => {
        for (let left = tries; ; left -= 1) {
          const before = await ownSession(sessions, context, sessionId);
          if (before.state.requests[requestId] !== undefined) return recordedIn(before.state, film.jobId);
          const taken = await taking(before.state, film);
          if ("unrecorded" in taken) return { evidence: null, unrecorded: taken.unrecorded };
          const item = filmItem(film, taken.objectiveId, taken.course);
          const at = now();
          const digest = sha256(canonicalText({ film: film.jobId, choice }));
          const choiceId = item.choices[choice]?.choiceId ?? "";
          const { revisionId } = taken.course;
          const moved = revisionId !== before.state.courseRevisionId && { courseRevisionId: revisionId };
          const events = decided(decide({ type: "answer film", at, requestId, digest, item, choiceId, ...moved }, before.state));
          try {
            const { state } = await sessions.append({ ...context, requestId }, before, { sessionId, events, texts: [], at });
            return recordedIn(state, film.jobId);
          } catch (error) {
            if (!(error instanceof WrongExpectedRevision)) throw error;
            if (left <= 1) throw new ProblemError("unavailable", { cause: error });
          }
        }
      });
    },
  };
}

function recordedIn({ sessionId, objectives, items, ledger }: TutorState, jobId: string): Counted {
  const answer = ledger.answers.find(({ itemId }) => items[itemId]?.film === jobId);
  if (!answer) throw new TypeError("an answer left no trace");
  const { objectiveId, receipt } = answer;
  const objective = objectives.find((one) => one.objectiveId === objectiveId)?.title ?? "";
  return { evidence: { sessionId, objectiveId, objective, receipt }, unrecorded: null };
}
