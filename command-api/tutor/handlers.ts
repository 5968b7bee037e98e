import { WrongExpectedRevision } from "@colloquy/infra/event-store/client.ts";
import { eventIdFrom } from "@colloquy/infra/event-store/event-id.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { canonicalText, sha256 } from "@colloquy/infra/ledger/chain.ts";
import type { PassageLibrary, ResolvedReference } from "@colloquy/projections/passages/queries.ts";
import type { TutorItem } from "@colloquy/schemas/events/tutor.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import type { AttachedReference } from "@colloquy/schemas/sync/changes.ts";
import type { TutorFrame, TutorReply, TutorStartRequest, TutorTurnRequest } from "@colloquy/schemas/tutor/requests.ts";
import { exists, type TutorState } from "@colloquy/schemas/tutor/state.ts";
import { sessionView } from "@colloquy/schemas/tutor/view.ts";
import { resolveReferences } from "../grounding/retrieve.ts";
import type { ModelGateway } from "../model-gateway/gateway.ts";
import { carriedEntries } from "./carry.ts";
import { objectivesFor, passagesFor, type TutorCourses } from "./course.ts";
import { type Decision, decide, type Grade, type TutorCommand } from "./decider.ts";
import { goOn } from "./go-on.ts";
import { type Asking, gradeText, proposeProbes } from "./proposals.ts";
import type { LoadedSession, TextToKeep, TutorContext, TutorSessions } from "./sessions.ts";

export interface TutorDependencies {
  gateway: ModelGateway;
  library: PassageLibrary;
  courses: TutorCourses;
  sessions: TutorSessions;
  /** RFC 3339. */
  now(): string;
  /** Milliseconds on a clock that never goes back. */
  clock(): number;
  /** As `Math.random`. */
  random(): number;
}

/** What a turn is carried out with: who asks, how to stop it, and where its progress goes. */
export interface TurnRun {
  context: TutorContext;
  signal: AbortSignal;
  /** Whether the learner reads text as it is told: then what was taught by the time they stopped is kept. */
  streamed: boolean;
  tell(frame: TutorFrame): void;
}

export interface TutorHandlers {
  /** @throws {ProblemError} */
  start(request: TutorStartRequest, run: TurnRun): Promise<TutorReply>;
  /** @throws {ProblemError} */
  turn(request: TutorTurnRequest, run: TurnRun): Promise<TutorReply>;
}

/**
 * A turn, end to end: what the learner did is decided, whatever a model has to add is asked for, and all of it is appended at once. So
 * a model that fails, or a learner who leaves before anything came, moves nothing, and the same request can be sent again.
 */
export function tutorHandlers(dependencies: TutorDependencies): TutorHandlers {
  const { gateway, library, courses, sessions, now, clock, random } = dependencies;
  const busy = new Map<string, Promise<unknown>>();

  /** One turn of a session at a time in this process: a request sent twice finds what the first one did. */
  async function inTurn<Result>(sessionId: string, work: () => Promise<Result>): Promise<Result> {
    const before = busy.get(sessionId);
    const mine = (before ?? Promise.resolve()).catch(() => undefined).then(work);
    busy.set(sessionId, mine);
    try {
      return await mine;
    } finally {
      if (busy.get(sessionId) === mine) busy.delete(sessionId);
    }
  }

  async function reply(sessionId: string, loaded: LoadedSession): Promise<TutorReply> {
    const texts = await sessions.texts(sessionId);
    const words = Object.fromEntries([...texts].map(([textId, { text }]) => [textId, text]));
    return versioned({ session: sessionView(loaded.state, words), position: loaded.position ?? "0" });
  }

  function askingOf({ signal, streamed, tell }: TurnRun, model: TutorState["model"]): Asking {
    const began = clock();
    return { gateway, model, signal, streamed, tell, elapsedMs: () => Math.round(clock() - began) };
  }

  /** Appends; when somebody else wrote first, the session moved on elsewhere. */
  async function commit(run: TurnRun, before: LoadedSession, change: Parameters<TutorSessions["append"]>[2]): Promise<LoadedSession> {
    try {
      return await sessions.append(run.context, before, change);
    } catch (error) {
      if (error instanceof WrongExpectedRevision) throw new ProblemError("stale_session", { cause: error });
      throw error;
    }
  }

  return {
    start(request, run) {
      const { context } = run;
      const sessionId = eventIdFrom("tutor session", context.accountId, request.requestId);
      return inTurn(sessionId, async () => {
        const { schemaVersion: _, ...content } = request;
        const digest = sha256(canonicalText(content));
        const before = await sessions.load(sessionId);
        if (exists(before.state)) {
          if (before.state.requests[request.requestId] !== digest) throw new ProblemError("request_id_reused");
          return reply(sessionId, before);
        }
        refuseUnable(gateway, request.model);
        run.tell(versioned({ kind: "status" as const, phase: "retrieving" as const, elapsedMs: 0 }));
        const [course, references] = await Promise.all([courses.live(request.courseId), resolveReferences(library, request.references)]);
        const referenced = references.filter(({ courseId }) => courseId === course.courseId).flatMap(({ passages }) => passages);
        const earlier = request.carryFrom === undefined ? null : (await ownSession(sessions, context, request.carryFrom)).state;
        if (earlier && earlier.courseId !== course.courseId)
          throw new ProblemError("invalid_request", { detail: "The earlier session is of another course." });
        const wanted = new Set(earlier?.objectives.map(({ objectiveId }) => objectiveId));
        const kept = course.objectives.filter(({ objectiveId }) => wanted.has(objectiveId));
        const objectives = kept.length > 0 ? kept : await objectivesFor(library, course, request.goal, referenced);
        if (objectives.length === 0)
          throw new ProblemError("invalid_request", { detail: "This course has nothing a session could teach." });
        const passages = await passagesFor(library, course, objectives);
        const ids = idsOf(sessionId, request.requestId);
        const probes = await proposeProbes(askingOf(run, request.model), { passages, course, newId: ids("probe"), random }, objectives);
        const goal = await sessions.salted(sessionId, ids("goal")(), "goal", request.goal);
        const at = now();
        const command: TutorCommand = {
          ...{ type: "open", at, requestId: request.requestId, digest, objectives, goal, probes },
          session: {
            ...{ sessionId, conversationId: request.conversationId, courseId: course.courseId, courseTitle: course.title },
            ...{ courseRevisionId: course.revisionId, language: course.language, model: request.model },
            references: references.map(attached),
            ...(earlier && { carriedFrom: earlier.sessionId }),
          },
          carried: earlier ? carriedEntries(earlier, course, objectives) : [],
        };
        run.signal.throwIfAborted();
        const opened = decided(decide(command, before.state));
        const on = await goOn(dependencies, {
          state: before.state,
          events: opened,
          occasion: { at, requestId: request.requestId },
          course,
          asking: askingOf(run, request.model),
        });
        return reply(sessionId, await commit(run, before, { sessionId, events: on.events, texts: [goal], at }));
      });
    },

    turn(request, run) {
      const { sessionId, requestId, action } = request;
      return inTurn(sessionId, async () => {
        const { schemaVersion: _, ...content } = request;
        const digest = sha256(canonicalText(content));
        const before = await ownSession(sessions, run.context, sessionId);
        const { state } = before;
        const known = state.requests[requestId];
        if (known !== undefined && known !== digest) throw new ProblemError("request_id_reused");
        if (known !== undefined) return reply(sessionId, before);
        if ((await courses.liveRevision(state.courseId)) !== state.courseRevisionId || request.courseRevisionId !== state.courseRevisionId)
          throw new ProblemError("stale_course_revision", {
            detail: "The course has been published anew since. Start a new session with `carryFrom` to take over what is unchanged.",
          });
        if (request.expectedVersion !== state.version) throw new ProblemError("stale_session");
        const model = request.model ?? state.model;
        if (request.model) refuseUnable(gateway, request.model);
        const at = now();
        const ids = idsOf(sessionId, requestId);
        const texts: TextToKeep[] = [];
        const asking = askingOf(run, model);
        const course = await courses.live(state.courseId);

        const words = action.type === "answer" || action.type === "dispute" ? action.text : undefined;
        const item = action.type === "answer" && state.current === action.itemId ? state.items[action.itemId] : undefined;
        if (words !== undefined && (action.type === "dispute" || item?.selection === "text"))
          texts.push(await sessions.salted(sessionId, ids("text")(), action.type === "dispute" ? "dispute" : "answer", words));
        const [text] = texts;
        let grade: Grade | undefined;
        if (item?.selection === "text" && words !== undefined && !state.ledger.paused) grade = await graded(item, words, texts);

        async function graded(of: TutorItem, answer: string, kept: TextToKeep[]): Promise<Grade> {
          const objective = course.objectives.filter(({ objectiveId }) => objectiveId === of.objectiveId);
          const judged = await gradeText(asking, await passagesFor(library, course, objective), of, answer);
          const reasons = await sessions.salted(
            sessionId,
            ids("reasons")(),
            "reasons",
            JSON.stringify(judged.criteria.map(({ reason }) => reason)),
          );
          kept.push(reasons);
          const criteria = judged.criteria.map(({ criterion, met }) => ({ criterion, met }));
          return { correct: judged.correct, criteria, by: judged.by, reasonsTextId: reasons.textId };
        }

        const acted = decided(
          decide(
            {
              ...{ type: "act", at, requestId, digest, action },
              ...(request.model && { model: request.model }),
              ...(text && { text }),
              ...(grade && { grade }),
            },
            state,
          ),
        );
        const on = await goOn(dependencies, { state, events: acted, occasion: { at, requestId }, course, asking });
        const after = await commit(run, before, { sessionId, events: on.events, texts, at });
        if (on.unverified)
          throw new ProblemError("plan_unverified", {
            detail: "No plan could be verified against the course. Nothing is lost: go on to try again.",
          });
        return reply(sessionId, after);
      });
    },
  };
}

/** Ids of one request, numbered by what they are for. */
function idsOf(sessionId: string, requestId: string): (what: string) => () => string {
  return (what) => {
    let count = 0;
    return () => {
      count += 1;
      return eventIdFrom("tutor id", sessionId, requestId, what, String(count));
    };
  };
}

/** @throws {ProblemError} `not_found`, also for a session of another account. */
export async function ownSession(sessions: TutorSessions, { accountId }: TutorContext, sessionId: string): Promise<LoadedSession> {
  const loaded = await sessions.load(sessionId);
  if (!exists(loaded.state) || loaded.state.accountId !== accountId) throw new ProblemError("not_found");
  return loaded;
}

function decided(decision: Decision) {
  if (!decision.ok) throw new ProblemError(decision.code, { detail: decision.detail });
  return decision.events;
}

/** @throws {ProblemError} `model_not_capable` before anything is asked of a model that cannot tutor; `ai_unavailable` when none can be asked now */
function refuseUnable(gateway: ModelGateway, model: TutorState["model"]): void {
  if (model.choice === "pinned" && gateway.choices().some(({ id, capabilities }) => id === model.id && !capabilities.tutor))
    throw new ProblemError("model_not_capable", { detail: "This model cannot tutor. Choose one that can, or automatic." });
  gateway.check({ model, need: "tutor" });
}

const attached = ({ source, revisionId }: ResolvedReference): AttachedReference => ({
  ...{ href: source.href, sourceId: source.sourceId, revisionId, kind: source.kind, title: source.title },
});
