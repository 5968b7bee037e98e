import { eventIdFrom } from "@colloquy/infra/event-store/event-id.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import type { TutorReply, TutorStartRequest, TutorTurnRequest } from "@colloquy/schemas/tutor/requests.ts";
import { exists, type TutorState } from "@colloquy/schemas/tutor/state.ts";
import { sessionView } from "@colloquy/schemas/tutor/view.ts";
import type { TutorCourses } from "./course.ts";
import type { LoadedSession, TutorContext, TutorSessions } from "./sessions.ts";

/** A turn without a revision is taken with the live one. */
export type TurnRequest = Pick<TutorTurnRequest, "sessionId" | "requestId" | "expectedVersion"> & { courseRevisionId?: string };

/**
 * Checks that a turn may be taken on a session as it is: it is the account's own, at the version that the learner saw, on the live revision
 * or on one whose text the session uses is unchanged there. `courseRevisionId`: the live revision where the session moves to it.
 * @throws {ProblemError} `not_found`, `request_id_reused`, `stale_course_revision`, `stale_session`
 */
export async function checkTurn(
  courses: TutorCourses,
  state: TutorState,
  { accountId }: Pick<TutorContext, "accountId">,
  { requestId, expectedVersion, courseRevisionId }: TurnRequest,
  digest: string,
): Promise<{ isDone: boolean; courseRevisionId?: string }> {
  if (!exists(state) || state.accountId !== accountId) throw new ProblemError("not_found");
  const known = state.requests[requestId];
  if (known !== undefined && known !== digest) throw new ProblemError("request_id_reused");
  if (known !== undefined) return { isDone: true };
  const live = await courses.liveRevision(state.courseId);
  if (live === null || (courseRevisionId ?? live) !== live)
    throw new ProblemError("stale_course_revision", {
      detail:
        "The course has been published anew since. Read the session again: where it `goesOn`, send the turn with the `live` revision; else start a new one with `carryFrom` to take over what is unchanged.",
    });
  if (!(await courses.usesSameText(state, live)))
    throw new ProblemError("stale_course_revision", {
      detail:
        "The course has been published anew since, and text that this session uses has changed. Start a new one with `carryFrom` to take over what is unchanged.",
    });
  if (expectedVersion !== state.version) throw new ProblemError("stale_session");
  return { isDone: false, ...(live !== state.courseRevisionId && { courseRevisionId: live }) };
}

/** What a learner sees of a session and the position to wait for. */
export async function replyOf(sessions: Pick<TutorSessions, "texts">, { state, position }: LoadedSession): Promise<TutorReply> {
  const texts = await sessions.texts(state.sessionId);
  const byId = Object.fromEntries([...texts].map(([textId, { text }]) => [textId, text]));
  return versioned({ session: sessionView(state, byId), position: position ?? "0" });
}

/** The id of the session that a request opens. A session that takes over an earlier one's evidence is the same for every request that asks for it. */
export function sessionIdOf(
  { accountId }: Pick<TutorContext, "accountId">,
  { requestId, conversationId, goal, carryFrom }: Pick<TutorStartRequest, "requestId" | "conversationId" | "goal" | "carryFrom">,
): string {
  if (carryFrom === undefined) return eventIdFrom("tutor session", accountId, requestId);
  return eventIdFrom("tutor session carried on", accountId, carryFrom, conversationId, goal);
}

/** Ids of one request, numbered by their purpose. */
export function idsOf(sessionId: string, requestId: string): (purpose: string) => () => string {
  return (purpose) => {
    let count = 0;
    return () => {
      count += 1;
      return eventIdFrom("tutor id", sessionId, requestId, purpose, String(count));
    };
  };
}
