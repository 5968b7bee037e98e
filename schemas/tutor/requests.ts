import { z } from "zod";
import { submittedReference } from "../ask/ask.ts";
import { bounds } from "../bounds.ts";
import { type ErrorCode, errorCodes } from "../errors.ts";
import { modelSelection, provider } from "../models.ts";
import { id, payload, position, readQuery } from "../payload.ts";
import { questionResponse } from "../questions/response.ts";
import { citation } from "../sources/citations.ts";
import { choiceId, tutorSession, tutorSessionSummary } from "./session.ts";

/** `POST /api/ai/tutor/start`: a session on one course, chosen by the learner. */
export const tutorStartRequest = payload({
  requestId: id,
  conversationId: id,
  courseId: id,
  goal: z.string().trim().min(1).max(bounds.tutor.goalLength),
  references: z.array(submittedReference).max(bounds.tutor.references),
  model: modelSelection,
  /** An earlier session of the same course: its evidence goes on counting where the course's text is unchanged. */
  carryFrom: id.optional(),
  /** Practice, which proves nothing: where no question can count (`no_questions`, `questions_shown`). */
  practice: z.literal(true).optional(),
});
export type TutorStartRequest = z.infer<typeof tutorStartRequest>;

/** What was chosen: no choice twice. */
export const answeredChoices = z
  .array(choiceId)
  .max(bounds.course.question.choices.max)
  .refine((ids) => new Set(ids).size === ids.length, "a choice is named twice");

const itemId = id;
const answer = z.strictObject({
  type: z.literal("answer"),
  itemId,
  choiceIds: answeredChoices.optional(),
  text: z.string().trim().min(1).max(bounds.tutor.answerLength).optional(),
  /** To a question of the course's own. */
  response: questionResponse.optional(),
  /** Marked as it stands, also where only its spelling may be wrong (`check_spelling`). */
  confirmed: z.literal(true).optional(),
});
const besideAnswer = [
  z.strictObject({ type: z.literal("hint"), itemId }),
  z.strictObject({ type: z.literal("explanation"), itemId }),
  z.strictObject({ type: z.literal("pause") }),
  /** Ends a pause; where nothing waits for an answer it goes on with what comes next. */
  z.strictObject({ type: z.literal("resume") }),
  /** Puts another question in the place of the one that waits; says nothing about mastery. */
  z.strictObject({ type: z.literal("replace"), itemId }),
  /** Sets aside the grade a model gave the latest answer; the next question is one the application can grade. */
  z.strictObject({ type: z.literal("dispute"), itemId, text: z.string().trim().min(1).max(bounds.tutor.disputeLength).optional() }),
  /** "I know this": recorded, and weighs nothing. */
  z.strictObject({ type: z.literal("self_report"), objectiveId: id, knows: z.boolean() }),
] as const;
export const tutorActionBesideAnswer = z.discriminatedUnion("type", besideAnswer);
/** Asks back: "why?", "I don't see step 2", a step of one's own work. The question that waits goes on waiting; it counts as help for it. */
const ask = z.strictObject({ type: z.literal("ask"), text: z.string().trim().min(1).max(bounds.tutor.askLength) });
export const tutorAction = z.discriminatedUnion("type", [answer, ask, ...besideAnswer]);
export type TutorAction = z.infer<typeof tutorAction>;

/** `POST /api/ai/tutor/goal`: whether a course has anything to say on a goal. Asks no model and begins nothing. */
export const tutorGoalRequest = payload({ courseId: id, goal: z.string().trim().min(1).max(bounds.tutor.goalLength) });
export type TutorGoalRequest = z.infer<typeof tutorGoalRequest>;
export const tutorGoalResponse = payload({
  related: z.boolean(),
  /** BCP 47, of the course's text. */
  language: z.string(),
  /** Courses that have something to say on it, when this one has not. */
  elsewhere: z.array(z.strictObject({ courseId: id, title: z.string(), language: z.string() })).max(bounds.tutor.otherCourses),
});
export type TutorGoalResponse = z.infer<typeof tutorGoalResponse>;

/** `POST /api/ai/tutor/turn`. */
export const tutorTurnRequest = payload({
  requestId: id,
  sessionId: id,
  expectedVersion: z.int().min(0),
  courseRevisionId: id,
  action: tutorAction,
  /** The model from now on, when it is another. */
  model: modelSelection.optional(),
});
export type TutorTurnRequest = z.infer<typeof tutorTurnRequest>;

export const tutorReply = payload({ session: tutorSession, position });
export type TutorReply = z.infer<typeof tutorReply>;

export const tutorWork = ["retrieving", "probing", "grading", "planning", "verifying", "teaching", "checking", "replying"] as const;
export type TutorWork = (typeof tutorWork)[number];

/** One line of a turn answered in frames (`accept: application/x-ndjson`). The last is `complete` or `error`, never neither. */
export const tutorFrame = z.discriminatedUnion("kind", [
  payload({
    kind: z.literal("status"),
    phase: z.enum(tutorWork),
    elapsedMs: z.int().min(0),
    detail: z
      .strictObject({ provider: provider.optional(), model: z.string().optional(), fallbackDepth: z.int().min(0).optional() })
      .optional(),
  }),
  /** A source of the teaching text, before the first text that has its number. */
  payload({ kind: z.literal("citation"), citation }),
  payload({ kind: z.literal("text_delta"), text: z.string() }),
  payload({ kind: z.literal("complete"), session: tutorSession, position }),
  payload({
    kind: z.literal("error"),
    code: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]),
    title: z.string(),
    retryable: z.boolean(),
    retryAfterSeconds: z.int().min(1).optional(),
  }),
]);
export type TutorFrame = z.infer<typeof tutorFrame>;

/** The query string of `GET /api/tutor/sessions`. */
export const tutorSessionsQuery = readQuery.extend({ conversationId: id.optional(), courseId: id.optional() });
export const tutorSessionsResponse = payload({ sessions: z.array(tutorSessionSummary).max(bounds.tutor.sessions) });
export type TutorSessionsResponse = z.infer<typeof tutorSessionsResponse>;

/**
 * `GET /api/tutor/sessions/:sessionId`; `live` is the course's present revision, null when the course is gone. `goesOn`: nothing that the
 * session stands on is another in that revision, so that turns are taken with `live` as their `courseRevisionId`.
 */
export const tutorSessionResponse = payload({ session: tutorSession, position, live: id.nullable(), goesOn: z.boolean() });
export type TutorSessionResponse = z.infer<typeof tutorSessionResponse>;

/** The query string of `GET /api/tutor/sessions/:sessionId/ledger`. */
export const ledgerQuery = readQuery.extend({ format: z.enum(["ndjson", "xapi"]).default("ndjson") });
