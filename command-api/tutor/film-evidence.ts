import { eventIdFrom } from "@colloquy/infra/event-store/event-id.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { canonicalText, sha256 } from "@colloquy/infra/ledger/chain.ts";
import type { PassageLibrary } from "@colloquy/projections/passages/queries.ts";
import type { Counted, UnrecordedReason } from "@colloquy/schemas/explainers/evidence.ts";
import { exists, type TutorState } from "@colloquy/schemas/tutor/state.ts";
import { objectiveOf, type TutorCourse, type TutorCourses } from "./course.ts";
import { type FilmQuestion, filmItem } from "./items.ts";
import { unrecordedBecause } from "./policy.ts";
import type { TutorContext, TutorSessions } from "./sessions.ts";
import { shownIn } from "./shown-texts.ts";

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
}

/** What is answered at the end of a film becomes evidence of a tutoring session here. */
export function filmEvidence({ sessions, courses, library, openSessions }: Needs): FilmEvidenceKeeping {
  /** What a session would take the answer as, or why it would not. */
  async function acceptingSession(
    state: TutorState,
    { courseId, courseRevisionId, topicId, question }: AnsweredFilm,
  ): Promise<{ course: TutorCourse; objectiveId: string; objective: string } | { unrecorded: UnrecordedReason }> {
    if (state.courseId !== courseId || state.ledger.phase === "completed") return { unrecorded: "no_session" };
    const live = await courses.liveRevision(courseId);
    if (live !== courseRevisionId || !(await courses.usesSameText(state, live))) return { unrecorded: "other_revision" };
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
      if (sessionId !== null) await sessions.loadOwn(context.accountId, sessionId);
      const open = await openSessions(context.accountId, film.courseId);
      let why: UnrecordedReason | null = null;
      for (const id of new Set([...(sessionId === null ? [] : [sessionId]), ...open])) {
        const { state } = await sessions.load(id);
        const taken = await acceptingSession(state, film);
        if (!("unrecorded" in taken)) return { sessionId: id };
        why ??= taken.unrecorded;
      }
      return { unrecorded: why ?? "no_session" };
    },

    async record(context, film, { sessionId, choice }) {
      const requestId = eventIdFrom("film answered", film.jobId);
      const { state, result } = await sessions.takeTurn({ ...context, requestId }, sessionId, async (turn, at) => {
        const { state: before } = turn;
        if (!exists(before) || before.accountId !== context.accountId) throw new ProblemError("not_found");
        if (before.requests[requestId] !== undefined) return null;
        const accepting = await acceptingSession(before, film);
        if ("unrecorded" in accepting) return accepting.unrecorded;
        const item = filmItem(film, accepting.objectiveId, accepting.course, shownIn(before));
        const digest = sha256(canonicalText({ film: film.jobId, choice }));
        const choiceId = item.choices[choice]?.choiceId ?? "";
        const { revisionId } = accepting.course;
        const moved = revisionId !== before.courseRevisionId && { courseRevisionId: revisionId };
        turn.decide({ type: "answer film", at, requestId, digest, item, choiceId, ...moved });
        return null;
      });
      return result === null ? recordedIn(state, film.jobId) : { evidence: null, unrecorded: result };
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
