import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { canonicalText, sha256 } from "@colloquy/infra/ledger/chain.ts";
import type { PassageLibrary, ResolvedReference } from "@colloquy/projections/passages/queries.ts";
import type { GeneratedGrading } from "@colloquy/schemas/generation/tutor.ts";
import { demonstrationModel, type WrittenBy } from "@colloquy/schemas/models.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import type { AttachedReference } from "@colloquy/schemas/sync/changes.ts";
import type { SessionObjective, TutorItem } from "@colloquy/schemas/tutor/events.ts";
import { canBringMastery, masteryParameters } from "@colloquy/schemas/tutor/mastery.ts";
import { isNotKnowing } from "@colloquy/schemas/tutor/not-knowing.ts";
import type {
  TutorFrame,
  TutorGoalRequest,
  TutorGoalResponse,
  TutorReply,
  TutorStartRequest,
  TutorTurnRequest,
} from "@colloquy/schemas/tutor/requests.ts";
import { exists, type TutorState } from "@colloquy/schemas/tutor/state.ts";
import type { CoursePages } from "../grounding/course-pages.ts";
import { resolveReferences, type TurnPassage } from "../grounding/retrieve.ts";
import type { ModelGateway } from "../model-gateway/gateway.ts";
import { answerBack } from "./ask-back.ts";
import { askAuthored, canJudge, countingQuestions, isShownBy } from "./authored.ts";
import { carriedEntries, questionsShown } from "./carry.ts";
import type { Grade, Reply, TutorCommand } from "./commands.ts";
import { continueLesson, isAnswer } from "./continue-lesson.ts";
import { passagesFor, type TutorCourse, type TutorCourses } from "./course.ts";
import type { Occasion } from "./draft.ts";
import { checkGoal } from "./goal.ts";
import { learnerWords } from "./learner-words.ts";
import type { ModelContext } from "./model-calls.ts";
import { objectivesFor } from "./objectives.ts";
import { gradeText, gradeOf as judgedBy } from "./proposals.ts";
import { responseTo, wordsOfTopic, writtenIn } from "./responses.ts";
import { type QuizzesOf, revealedTo, type SessionsOf } from "./revealed.ts";
import type { SessionTurn, TutorContext, TutorSessions } from "./sessions.ts";
import { isCopied, type Statement, shownIn, shownOf } from "./shown-texts.ts";
import type { SessionText } from "./texts.ts";
import { checkTurn, idsOf, replyOf, sessionIdOf } from "./turns.ts";

export interface TutorDependencies {
  gateway: ModelGateway;
  library: PassageLibrary;
  courses: TutorCourses;
  /** Pages that a learner who asks back is answered from. */
  pages: Pick<CoursePages, "pageOf">;
  sessions: TutorSessions;
  /** The quizzes of an account: what they showed is no evidence any more. */
  quizzesOf?: QuizzesOf;
  /** The account's other sessions: so is what they showed. */
  sessionsOf?: SessionsOf;
  /** Whether the account was answered from a course since a time, also beside the session: help for the question that waits. */
  isAnsweredSince?: (accountId: string, asked: { courseId: string; since: string }) => Promise<boolean>;
  /** Milliseconds on a clock that never goes back. */
  clock(): number;
  /** As `Math.random`. */
  random(): number;
  /** How long a second look may take, where it is another time than usual. */
  secondLookMs?: number;
}

/** What a turn is carried out with: who asks, how to stop it, and where its progress goes. */
export interface TurnRun {
  context: TutorContext;
  signal: AbortSignal;
  /** Whether the learner reads text as it is told: then what was taught by the time they stopped is kept. */
  streamed: boolean;
  emit(frame: TutorFrame): void;
  /** The assistant that acts for the learner: then no model of ours is asked for what comes next, for the assistant proposes it. */
  by?: ActingAssistant;
}

export interface ActingAssistant {
  clientId: string;
  name: string;
  /** Its judgement of an answer in the learner's own words; without it a model of ours judges. */
  grading?: GeneratedGrading;
}

type TurnRequest = Omit<TutorTurnRequest, "courseRevisionId"> & Partial<Pick<TutorTurnRequest, "courseRevisionId">>;

export interface TutorHandlers {
  /** @throws {ProblemError} */
  start(request: TutorStartRequest, run: TurnRun): Promise<TutorReply>;
  /** Who names no revision takes the live one. @throws {ProblemError} */
  turn(request: TurnRequest, run: TurnRun): Promise<TutorReply>;
  /** Whether a goal has anything to do with its course. @throws {ProblemError} */
  goal(request: TutorGoalRequest): Promise<TutorGoalResponse>;
}

/**
 * A turn, end to end: what the learner did is decided, whatever a model has to add is asked for, and all of it is appended at once. So
 * a model that fails, or a learner who leaves before anything came, moves nothing, and the same request can be sent again.
 */
export function tutorHandlers(dependencies: TutorDependencies): TutorHandlers {
  const { gateway, library, courses, pages, sessions, clock } = dependencies;

  function modelContextOf({ signal, streamed, emit }: TurnRun, model: TutorState["model"]): ModelContext {
    const began = clock();
    const { secondLookMs } = dependencies;
    const elapsedMs = () => Math.round(clock() - began);
    return { gateway, model, signal, streamed, emit, elapsedMs, ...(secondLookMs !== undefined && { secondLookMs }) };
  }

  /**
   * The objectives that questions can be asked about which count: without a model that can check questions, those that the course has
   * questions of its own on, marked where these are too few for mastery.
   * @throws {ProblemError} `no_questions` where there are none, `questions_shown` where all of them were shown
   */
  function askable(
    course: TutorCourse,
    chosen: SessionObjective[],
    { model, revealed }: { model: TutorState["model"]; revealed: readonly Statement[] },
  ): SessionObjective[] {
    if (canJudge(gateway, model)) return chosen;
    const able = chosen.filter(({ objectiveId }) => countingQuestions(course, objectiveId).length > 0);
    if (able.length === 0) throw new ProblemError("no_questions", { detail: noQuestionsWords });
    // One whose questions were shown is taught beside others, and left with the reason.
    const isNew = able.some(({ objectiveId }) => countingQuestions(course, objectiveId).some((one) => !isShownBy(revealed, one)));
    if (!isNew) throw new ProblemError("questions_shown");
    return able.map((objective) => {
      const left = countingQuestions(course, objective.objectiveId).filter((one) => !isShownBy(revealed, one));
      const questions = left.map(({ question }) => question);
      return canBringMastery(questions, masteryParameters) ? objective : { ...objective, tooFewQuestions: true as const };
    });
  }

  return {
    goal: (request) => checkGoal(dependencies, request),

    async start(request, run) {
      const { context } = run;
      const sessionId = sessionIdOf(context, request);
      const { schemaVersion: _, ...content } = request;
      const digest = sha256(canonicalText(content));
      const session = await sessions.takeTurn(context, sessionId, async (turn, at) => {
        const { state } = turn;
        if (exists(state)) {
          const known = state.requests[request.requestId];
          // Evidence is carried over once: a second request for it, from another tab say, finds the session that has it.
          const isCarried = known === undefined && request.carryFrom !== undefined;
          if (known !== digest && !isCarried) throw new ProblemError("request_id_reused");
          return;
        }
        if (!run.by) await refuseUnable(gateway, request.model);
        run.emit(versioned({ kind: "status" as const, phase: "retrieving" as const, elapsedMs: 0 }));
        const [course, references] = await Promise.all([
          courses.live(request.courseId),
          resolveReferences({ library, isRevision: courses.isRevision }, request.references),
        ]);
        const referenced = references.filter(({ courseId }) => courseId === course.courseId).flatMap(({ passages }) => passages);
        const earlier = request.carryFrom === undefined ? null : (await sessions.loadOwn(context.accountId, request.carryFrom)).state;
        if (earlier && earlier.courseId !== course.courseId)
          throw new ProblemError("invalid_request", { detail: "The earlier session is of another course." });
        const wanted = new Set(earlier?.objectives.map(({ objectiveId }) => objectiveId));
        const kept = course.objectives.filter(({ objectiveId }) => wanted.has(objectiveId));
        const chosen = kept.length > 0 ? kept : await objectivesFor(library, course, request.goal, referenced);
        if (chosen.length === 0) throw new ProblemError("invalid_request", { detail: "This course has nothing a session could teach." });
        const practice = request.practice ?? earlier?.practice;
        const revealed = await revealedTo(dependencies, context.accountId, course, { sessionId, at });
        const objectives = run.by || practice ? chosen : askable(course, chosen, { model: request.model, revealed });
        const asksNothingFirst =
          practice === true &&
          !run.by &&
          !canJudge(gateway, request.model) &&
          objectives.every(({ objectiveId }) => countingQuestions(course, objectiveId).length === 0);
        const ids = idsOf(sessionId, request.requestId);
        const models = modelContextOf(run, request.model);
        const goal = await sessions.salted(sessionId, ids("goal")(), "goal", request.goal);
        const occasion = occasionOf(run, at);
        const command: TutorCommand = {
          type: "open",
          ...occasion,
          digest,
          objectives,
          goal,
          session: {
            sessionId,
            conversationId: request.conversationId,
            courseId: course.courseId,
            courseTitle: course.title,
            courseRevisionId: course.revisionId,
            language: course.language,
            model: request.model,
            references: references.map(attached),
            ...(earlier && { carriedFrom: earlier.sessionId, askedBefore: questionsShown(earlier) }),
            ...(practice && { practice }),
          },
          carried: earlier ? carriedEntries(earlier, course, objectives) : [],
          ...(asksNothingFirst && { asksNothingFirst }),
        };
        run.signal.throwIfAborted();
        turn.decide(command);
        const learner = learnerWords(turn.state, new Map([[goal.textId, goal]]));
        if (run.by) askAuthored(turn, occasion, { course, shown: shownIn(turn.state, learner.replies, revealed) });
        else await continueLesson(dependencies, turn, { occasion, course, models, learner, revealed });
        throwIfStoppedEarly(run, turn);
        await sessions.keepTexts(context, sessionId, [goal], at);
      });
      return replyOf(sessions, session);
    },

    async turn(request, run) {
      const { context } = run;
      const { sessionId, requestId, action } = request;
      const { schemaVersion: _, ...content } = request;
      const digest = sha256(canonicalText({ ...content, ...(run.by?.grading && { grading: run.by.grading }) }));
      const session = await sessions.takeTurn(context, sessionId, async (turn, at) => {
        const { state } = turn;
        const { isDone, courseRevisionId } = await checkTurn(courses, state, context, request, digest);
        if (isDone) return { unverified: false };
        const model = request.model ?? state.model;
        if (request.model) await refuseUnable(gateway, request.model);
        const ids = idsOf(sessionId, requestId);
        const texts: SessionText[] = [];
        const models = modelContextOf(run, model);
        const course = await courses.live(state.courseId);

        const revealed = await revealedTo(dependencies, context.accountId, course, { sessionId, at });
        const before = learnerWords(state, await sessions.texts(sessionId));
        const { texts: read } = shownIn(state, before.replies);
        const words = action.type === "answer" || action.type === "dispute" ? action.text : undefined;
        const item = action.type === "answer" && state.current === action.itemId ? state.items[action.itemId] : undefined;
        if (words !== undefined && (action.type === "dispute" || item?.selection === "text"))
          texts.push(await sessions.salted(sessionId, ids("text")(), action.type === "dispute" ? "dispute" : "answer", words));
        let courseWords: ReadonlySet<string> | undefined;
        if (action.type === "answer" && item?.key) {
          const response = responseTo(item, action);
          const written = response && writtenIn(response);
          if (written != null) {
            texts.push(await sessions.salted(sessionId, ids("text")(), "answer", written));
            courseWords = wordsOfTopic(course, state.objectives.find(({ objectiveId }) => objectiveId === item.objectiveId)?.topicId);
          }
        }
        if (action.type === "ask") texts.push(await sessions.salted(sessionId, ids("text")(), "question", action.text));
        const since = item && state.messages.findLast((message) => message.kind === "question" && message.itemId === item.itemId)?.at;
        const { courseId } = state;
        const wasAnswered = since !== undefined && (await dependencies.isAnsweredSince?.(context.accountId, { courseId, since }));
        const [text] = texts;
        let reply: Reply | undefined;
        if (action.type === "ask") {
          const said = await answerBack(models, { library, pages, isRevision: courses.isRevision }, state, before, action.text);
          const kept = await sessions.salted(sessionId, ids("reply")(), "reply", said.text);
          texts.push(kept);
          reply = { ...said, text: kept };
        }
        let grade: Grade | undefined;
        let found: "not_knowing" | "copied" | undefined;
        if (item?.selection === "text" && words !== undefined && !state.ledger.paused) {
          const objective = course.objectives.filter(({ objectiveId }) => objectiveId === item.objectiveId);
          const passages = await passagesFor(library, course, objective);
          const shown = [...read, ...passages.map((passage) => passage.text)];
          found = isNotKnowing(words) ? "not_knowing" : isCopied(words, shown) ? "copied" : undefined;
          // A first copy is returned, a second one graded as an answer with help.
          const isReturned = found === "copied" && !state.returned?.includes(item.itemId);
          if (found !== "not_knowing" && !isReturned) grade = await graded(item, words, passages, texts);
        }

        async function graded(of: TutorItem, answer: string, passages: readonly TurnPassage[], kept: SessionText[]): Promise<Grade> {
          const judged = run.by?.grading
            ? { ...judgedBy(of, run.by.grading), by: writtenBy(run.by) }
            : await gradeText(models, passages, of, answer);
          // It goes by words, so that what it says may move nothing.
          if (!run.by?.grading && judged.by.model === demonstrationModel && of.evidence?.counts === true)
            throw new ProblemError("ai_unavailable", {
              detail: "No model that can judge own words can be reached. Choose “Another question”, or try again later.",
            });
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

        const occasion = occasionOf(run, at);
        turn.decide({
          type: "act",
          ...occasion,
          digest,
          action,
          ...(request.model && { model: request.model }),
          ...(courseRevisionId && { courseRevisionId }),
          ...(text && { text }),
          ...(reply && { reply }),
          ...(grade && { grade }),
          ...(found && { found }),
          ...(courseWords && { courseWords }),
          ...(item && (wasAnswered || shownOf(item, { statements: [], texts: read, revealed }).shown) && { revealed: true as const }),
        });
        const all = new Map([...(await sessions.texts(sessionId)), ...texts.map((one) => [one.textId, one] as const)]);
        const learner = learnerWords(turn.state, all);
        let outcome = { unverified: false };
        // Whoever asks back finds the session as it was.
        if (action.type !== "ask") {
          if (run.by) askAuthored(turn, occasion, { course, shown: shownIn(turn.state, learner.replies, revealed) });
          else outcome = await continueLesson(dependencies, turn, { occasion, course, models, learner, revealed });
        }
        throwIfStoppedEarly(run, turn);
        await sessions.keepTexts(context, sessionId, texts, at);
        return outcome;
      });
      if (session.result.unverified)
        throw new ProblemError("plan_unverified", {
          detail: "No plan could be verified against the course. Nothing is lost: go on to try again.",
        });
      return replyOf(sessions, session);
    },
  };
}

const noQuestionsWords =
  "No model that can check questions is set up here, so only questions of the course's question bank can count, whose answers no page shows. The owner can add some in the editor. Choose another goal or course, or practise.";

/** A learner who stopped before any text came has done nothing but answer; text that was taught by then was read. @throws the signal's reason */
function throwIfStoppedEarly({ signal }: TurnRun, { events }: Pick<SessionTurn, "events">): void {
  if (!events.some((event) => event.type === "StepTaught" || event.type === "LearnerAsked" || isAnswer(event))) signal.throwIfAborted();
}

/** @throws {ProblemError} `model_not_capable` before anything is asked of a model that is not here or cannot tutor; `ai_unavailable` when none can be asked now */
async function refuseUnable(gateway: ModelGateway, model: TutorState["model"]): Promise<void> {
  if (model.choice === "pinned") {
    const pinned = gateway.choices().find(({ id }) => id === model.id);
    // One that is gone may be stood in for, where that is allowed.
    if (!pinned && !model.allowFallbackWhenPinned)
      throw new ProblemError("model_not_capable", { detail: "This model is not available. Choose another, or Automatic." });
    if (pinned && !pinned.capabilities.tutor)
      throw new ProblemError("model_not_capable", { detail: "This model cannot be used by the tutor. Choose another, or Automatic." });
  }
  await gateway.check({ model, need: "tutor" });
}

const attached = ({ source, revisionId }: ResolvedReference): AttachedReference => ({
  href: source.href,
  sourceId: source.sourceId,
  revisionId,
  kind: source.kind,
  title: source.title,
});

/** Who an assistant's work is by. */
export const writtenBy = ({ name }: Pick<ActingAssistant, "name">): WrittenBy => ({ provider: "connector", model: name, fallbackDepth: 0 });

/** When, under which request and through whom something is decided. */
export const occasionOf = ({ context, by }: Pick<TurnRun, "context" | "by">, at: string): Occasion => ({
  at,
  requestId: context.requestId,
  ...(by && { via: { kind: "connector", clientId: by.clientId } }),
});
