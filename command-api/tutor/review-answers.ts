import { eventIdFrom } from "@colloquy/infra/event-store/event-id.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { canonicalText, sha256 } from "@colloquy/infra/ledger/chain.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import { markResponse } from "@colloquy/schemas/questions/mark.ts";
import type { ReviewAnswerReply, ReviewAnswerRequest } from "@colloquy/schemas/review/requests.ts";
import { masteryIn } from "@colloquy/schemas/tutor/replay.ts";
import { exists, type TutorState } from "@colloquy/schemas/tutor/state.ts";
import { authoredItem } from "./authored.ts";
import type { AuthoredQuestion, TutorCourse, TutorCourses } from "./course.ts";
import { responseTo, returnedForSpelling, wordsOfTopic, writtenIn } from "./responses.ts";
import { type QuizzesOf, revealedTo, type SessionsOf } from "./revealed.ts";
import type { TutorContext, TutorSessions } from "./sessions.ts";
import { type ShownTexts, shownIn } from "./shown-texts.ts";
import { idsOf } from "./turns.ts";

interface Needs {
  sessions: TutorSessions;
  courses: TutorCourses;
  sessionsOf: SessionsOf;
  quizzesOf?: QuizzesOf;
}

/**
 * Marks an answer given in Review and, where a session of the account is about the objective, records it in that session's ledger: there a
 * right unaided answer confirms mastery a day later, and a wrong one counts against it.
 */
export type ReviewAnswers = (request: ReviewAnswerRequest, context: TutorContext) => Promise<ReviewAnswerReply>;

export function reviewAnswers(needs: Needs): ReviewAnswers {
  const { sessions, courses, sessionsOf } = needs;

  /**
   * The session whose mastery of the objective the answer bears on; null where all of them stand on other text.
   * @throws {ProblemError} `not_found` where the account has none: what is not recorded would show the key of a question that still counts
   */
  async function sessionFor(context: TutorContext, course: TutorCourse, objectiveId: string): Promise<string | null> {
    const able: TutorState[] = [];
    let isStudied = false;
    for (const { sessionId } of await sessionsOf(context.accountId, course.courseId)) {
      const { state } = await sessions.load(sessionId);
      if (!exists(state) || state.accountId !== context.accountId) continue;
      if (!state.objectives.some((one) => one.objectiveId === objectiveId)) continue;
      isStudied = true;
      if (state.ledger.parameters.version !== 1 && (await courses.usesSameText(state, course.revisionId))) able.push(state);
    }
    if (!isStudied) throw new ProblemError("not_found", { detail: "No session of yours is about this any more. Start one in Tutor." });
    const mastered = able.find(({ ledger }) => masteryIn(ledger, objectiveId).standing !== "none");
    return (mastered ?? able[0])?.sessionId ?? null;
  }

  async function record(
    context: TutorContext,
    course: TutorCourse,
    sessionId: string,
    asked: AuthoredQuestion,
    request: ReviewAnswerRequest,
  ): Promise<Pick<ReviewAnswerReply, "evidence" | "position">> {
    const { objectiveId } = asked;
    const { response } = request;
    const digest = sha256(canonicalText(request));
    const { state, position } = await sessions.takeTurn(context, sessionId, async (turn, at) => {
      const { state: before } = turn;
      const known = before.requests[context.requestId];
      if (known === digest) return;
      if (known !== undefined) throw new ProblemError("request_id_reused");
      const revealed = await revealedTo(needs, context.accountId, course, { sessionId, at });
      const item = reviewItem(context.accountId, course, asked, shownIn(before, [], revealed));
      if (before.answers[item.itemId]) throw new ProblemError("wrong_phase", { detail: "This question was answered already." });
      refuseMisspelled(course, asked, request);
      const written = writtenIn(response);
      const text =
        written === null ? null : await sessions.salted(sessionId, idsOf(sessionId, context.requestId)("text")(), "answer", written);
      const moved = course.revisionId !== before.courseRevisionId && { courseRevisionId: course.revisionId };
      turn.decide({ type: "answer review", at, requestId: context.requestId, digest, item, response, ...(text && { text }), ...moved });
      if (text) await sessions.keepTexts(context, sessionId, [text], at);
    });
    const receipt = state.ledger.answers.find(({ itemId }) => itemId === reviewItemId(context.accountId, asked))?.receipt ?? 0;
    const answers = state.ledger.answers.filter((answer) => answer.receipt < receipt);
    const before = masteryIn({ ...state.ledger, answers }, objectiveId).standing;
    return {
      evidence: { sessionId, receipt, before, standing: masteryIn(state.ledger, objectiveId).standing },
      position: position ?? null,
    };
  }

  return async (request, context) => {
    const course = await courses.live(request.courseId);
    const asked = course.questions.find(({ blockId, objectiveId }) => blockId === request.blockId && objectiveId === request.objectiveId);
    if (!asked || asked.question.kind === "free") throw new ProblemError("not_found", { detail: "There is no such question." });
    if (asked.digest !== request.digest)
      throw new ProblemError("stale_course_revision", { detail: "The question was changed since it was asked." });
    const { question } = asked;
    if (!responseTo({ itemId: reviewItemId(context.accountId, asked), key: question }, { response: request.response }))
      throw new ProblemError("invalid_request", { detail: "Answer every part of this question, in its own form." });
    const sessionId = await sessionFor(context, course, request.objectiveId);
    if (sessionId === null) refuseMisspelled(course, asked, request);
    const recorded = sessionId === null ? { evidence: null, position: null } : await record(context, course, sessionId, asked, request);
    const { correct } = markResponse(question, request.response);
    return versioned({ correct, key: question, explanation: question.explanation ?? "", ...recorded });
  };
}

/** @throws {ProblemError} `check_spelling`; after the other checks, or a question that the account cannot answer would tell of its key */
function refuseMisspelled(course: TutorCourse, { topicId, question: key }: AuthoredQuestion, request: ReviewAnswerRequest): void {
  if (key.kind === "free") return;
  const { response, confirmed } = request;
  const returned = returnedForSpelling({ key }, response, { confirmed, words: wordsOfTopic(course, topicId) });
  if (returned) throw new ProblemError(returned.code, returned.options);
}

const reviewItemId = (accountId: string, { blockId, digest }: AuthoredQuestion): string =>
  eventIdFrom("review question", accountId, blockId, digest);

function reviewItem(accountId: string, course: TutorCourse, asked: AuthoredQuestion, shown: ShownTexts) {
  const place = { kind: "check" as const, objectiveId: asked.objectiveId, stepId: null, breadth: "narrow" as const };
  return { ...authoredItem(asked, reviewItemId(accountId, asked), place, { course, shown }), review: true as const };
}
