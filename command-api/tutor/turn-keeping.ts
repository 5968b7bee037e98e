import { WrongExpectedRevision } from "@colloquy/infra/event-store/client.ts";
import { eventIdFrom } from "@colloquy/infra/event-store/event-id.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { inSpan } from "@colloquy/infra/telemetry/traces.ts";
import type { TutorEvent } from "@colloquy/schemas/events/tutor.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import type { TutorReply, TutorStartRequest, TutorTurnRequest } from "@colloquy/schemas/tutor/requests.ts";
import { exists } from "@colloquy/schemas/tutor/state.ts";
import { sessionView } from "@colloquy/schemas/tutor/view.ts";
import { type KeyedMutex, keyedMutex } from "../keyed-mutex.ts";
import type { Decision } from "./commands.ts";
import type { TutorCourses } from "./course.ts";
import type { LoadedSession, SessionChange, TutorContext, TutorSessions } from "./sessions.ts";

/** What every turn of a session needs, whoever's work it takes in. */
export interface TurnKeeping {
  /** One turn of a session at a time in this process: a request sent twice finds what the first one did. */
  inTurn<Result>(sessionId: string, work: () => Promise<Result>): Promise<Result>;
  reply(sessionId: string, loaded: LoadedSession): Promise<TutorReply>;
  /**
   * Appends; when somebody else wrote first, the session moved on elsewhere, unless it was this very request that was sent twice: then what
   * came of it is what it was for. @throws {ProblemError} `stale_session`
   */
  commit(context: TutorContext, before: LoadedSession, change: SessionChange): Promise<LoadedSession>;
  /**
   * The session a turn is about, as its learner last saw it, and whether this very request was carried out before. `courseRevisionId`: the
   * revision the turn is taken with, where that is another than the session's and nothing the session stands on has changed.
   * @throws {ProblemError} `not_found`, `request_id_reused`, `stale_course_revision`, `stale_session`
   */
  begin(context: TutorContext, request: TurnOf, digest: string): Promise<Begun>;
}

interface Begun {
  before: LoadedSession;
  isDone: boolean;
  courseRevisionId?: string;
}

/** Who names no revision takes the live one. */
type TurnOf = Pick<TutorTurnRequest, "sessionId" | "requestId" | "expectedVersion"> & { courseRevisionId?: string };

/** The turns under way, of learners and of assistants alike: one session is never moved by both at once. */
const mutexes = new WeakMap<TutorSessions, KeyedMutex>();

function mutexOf(sessions: TutorSessions): KeyedMutex {
  const mutex = mutexes.get(sessions) ?? keyedMutex();
  mutexes.set(sessions, mutex);
  return mutex;
}

export function turnKeeping({ sessions, courses }: { sessions: TutorSessions; courses: TutorCourses }): TurnKeeping {
  const inTurn = mutexOf(sessions);
  return {
    inTurn: (sessionId, work) => inSpan("command", { attributes: { "colloquy.category": "tutor" } }, () => inTurn(sessionId, work)),

    async reply(sessionId, loaded) {
      const texts = await sessions.texts(sessionId);
      const words = Object.fromEntries([...texts].map(([textId, { text }]) => [textId, text]));
      return versioned({ session: sessionView(loaded.state, words), position: loaded.position ?? "0" });
    },

    async commit(context, before, change) {
      try {
        return await sessions.append(context, before, change);
      } catch (error) {
        if (!(error instanceof WrongExpectedRevision)) throw error;
        // What it sent first, and was told nothing of, may have arrived late: behind what this one had read.
        const after = await sessions.load(change.sessionId);
        const digest = change.events.find((event) => event.type === "TurnTaken")?.data.digest;
        if (digest !== undefined && after.state.requests[context.requestId] === digest) return after;
        throw new ProblemError("stale_session", { cause: error });
      }
    },

    async begin(context, { sessionId, requestId, expectedVersion, courseRevisionId }, digest) {
      const before = await ownSession(sessions, context, sessionId);
      const { state } = before;
      const known = state.requests[requestId];
      if (known !== undefined && known !== digest) throw new ProblemError("request_id_reused");
      if (known !== undefined) return { before, isDone: true };
      const live = await courses.liveRevision(state.courseId);
      if (live === null || (courseRevisionId ?? live) !== live)
        throw new ProblemError("stale_course_revision", {
          detail:
            "The course has been published anew since. Read the session again: where it `goesOn`, send the turn with the `live` revision; else start a new one with `carryFrom` to take over what is unchanged.",
        });
      if (!(await courses.goesOn(state, live)))
        throw new ProblemError("stale_course_revision", {
          detail:
            "The course has been published anew since, and this session stands on text that is another there. Start a new one with `carryFrom` to take over what is unchanged.",
        });
      if (expectedVersion !== state.version) throw new ProblemError("stale_session");
      return { before, isDone: false, ...(live !== state.courseRevisionId && { courseRevisionId: live }) };
    },
  };
}

/** The id of the session a request opens: of one that takes an earlier one's evidence over, the same however often that is asked for. */
export function sessionIdOf(
  { accountId }: Pick<TutorContext, "accountId">,
  { requestId, conversationId, goal, carryFrom }: Pick<TutorStartRequest, "requestId" | "conversationId" | "goal" | "carryFrom">,
): string {
  if (carryFrom === undefined) return eventIdFrom("tutor session", accountId, requestId);
  return eventIdFrom("tutor session carried on", accountId, carryFrom, conversationId, goal);
}

/** Ids of one request, numbered by what they are for. */
export function idsOf(sessionId: string, requestId: string): (what: string) => () => string {
  return (what) => {
    let count = 0;
    return () => {
      count += 1;
      return eventIdFrom("tutor id", sessionId, requestId, what, String(count));
    };
  };
}

/** @throws {ProblemError} `not_found`, also for a session of another account. */
export async function ownSession(
  sessions: TutorSessions,
  { accountId }: Pick<TutorContext, "accountId">,
  sessionId: string,
): Promise<LoadedSession> {
  const loaded = await sessions.load(sessionId);
  if (!exists(loaded.state) || loaded.state.accountId !== accountId) throw new ProblemError("not_found");
  return loaded;
}

/** The events of a decision. @throws {ProblemError} with the code it was refused with */
export function decided(decision: Decision): readonly TutorEvent[] {
  if (!decision.ok) throw new ProblemError(decision.code, { detail: decision.detail });
  return decision.events;
}
