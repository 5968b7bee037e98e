import { z } from "zod";
import { modelSelection, writer } from "../models.ts";
import { id, localHref, position, time } from "../payload.ts";
import { authoredKey } from "../questions/key.ts";
import { partId, questionResponse, shownQuestion } from "../questions/response.ts";
import { citation } from "../sources/citations.ts";
import { attachedReference } from "../sync/changes.ts";
import { standings } from "./mastery-standing.ts";

/** What a learner sees of a tutoring session. Answer keys, rubrics and hints not yet given are never in it. */

export const tutorPhases = ["probing", "planning", "teaching", "checking", "adapting", "completed"] as const;
export const tutorPhase = z.enum(tutorPhases);
export type TutorPhase = z.infer<typeof tutorPhase>;

export const itemKinds = ["probe", "check"] as const;
/** How a question is answered. `text`: in own words, which a model judges; all others are marked by the application. */
export const selections = ["single", "multiple", "text", "short", "number", "gap", "order", "match"] as const;
export type Selection = (typeof selections)[number];
/** Those of questions that models write. */
export type GeneratedSelection = Extract<Selection, "single" | "multiple" | "text">;

/** What makes an answer one with help: asked for, or its key or statement was shown before, or it repeats a text that was shown. */
export const helps = ["hint", "explanation", "asked", "repeated", "shown", "copied", "film"] as const;
export type Help = (typeof helps)[number];

const text = z.string();
/** An id that we mint, or that of a part of an authored question. */
export const choiceId = z.union([id, partId]);
export const cardChoice = z.strictObject({ choiceId, text });

/** The question that waits for an answer. */
export const card = z.strictObject({
  itemId: id,
  kind: z.enum(itemKinds),
  prompt: text,
  selection: z.enum(selections),
  choices: z.array(cardChoice),
  /** A question of the course's own, without its key: it is answered with a `response`. */
  question: shownQuestion.optional(),
  /** False for practice, which moves nothing. */
  counts: z.boolean().optional(),
  /** Practice because no second look at it came in time. */
  unchecked: z.literal(true).optional(),
  sourceIds: z.array(id),
  /** The how-manieth question on its objective. */
  attempt: z.int().min(1),
  objectiveIds: z.array(id),
  /** Rungs of the hint ladder: those given stand among the messages. */
  hints: z.strictObject({ given: z.int().min(0), most: z.int().min(0) }),
  /** Whether a right answer does not count now: after a hint or the explanation, or when the question was asked before. */
  aided: z.boolean(),
  /** Who will grade it. */
  gradedBy: z.enum(["application", "model"]),
});
export type Card = z.infer<typeof card>;

export const stepStates = ["ahead", "current", "mastered", "skipped"] as const;
export const step = z.strictObject({
  stepId: id,
  title: text,
  objectiveIds: z.array(id),
  sourceIds: z.array(id),
  /** Steps that come before it. */
  prerequisites: z.array(id),
  state: z.enum(stepStates),
});
export type Step = z.infer<typeof step>;

/** Why the session goes on as it does; `decisionWords` says each in a sentence. */
export const decisions = [
  "teach",
  "advance",
  "reinforce",
  "replan",
  "wait",
  "pause",
  "resume",
  "replace",
  "dispute",
  "return",
  "complete",
] as const;
export const decision = z.enum(decisions);
export type Decision = z.infer<typeof decision>;
export const reasons = [
  "next_step",
  "another_angle",
  "mastered",
  "left_for_later",
  "wrong_answer",
  "aided_answer",
  "more_evidence",
  "other_kind",
  "other_objective",
  "practice_next",
  "no_gain",
  "no_new_question",
  "practice_only",
  "unchecked",
  "prerequisite_failed",
  "plan_unverified",
  "copied_text",
  "learner",
  "nothing_left",
] as const;
export const reason = z.enum(reasons);
export type Reason = z.infer<typeof reason>;

/** What a second look can find wrong with a written question. */
export const questionProblems = [
  "off_objective",
  "key_unsupported",
  "other_choice_follows",
  "gives_itself_away",
  "guessable",
  "already_shown",
] as const;
export type QuestionProblem = (typeof questionProblems)[number];

/** One answer that moved an objective's mastery: `receipt` is the number of its entry in the ledger. */
export const masteryEvidence = z.strictObject({
  receipt: z.int().min(0),
  at: time,
  kind: z.enum(itemKinds),
  correct: z.boolean(),
  aided: z.boolean(),
  /** False for an answer to a practice question, which moves nothing. */
  counts: z.boolean(),
  gradedBy: z.enum(["application", "model"]),
  probability: z.number().min(0).max(1),
  /** Set aside, because the learner disputed a model's grade. */
  disputed: z.boolean(),
  /** Taken over from an earlier session whose course text is unchanged. */
  carried: z.boolean(),
  /** Passed on by an assistant that the learner connected. */
  assistant: z.boolean(),
  /** Own words that no model can judge: `correct` says nothing. */
  compared: z.literal(true).optional(),
});
/** Why an objective belongs to a session: words of the goal that it answers, an attached page, or another objective that needs it. */
export const chosenBecause = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("goal"), words: z.array(text) }),
  z.strictObject({ kind: z.literal("attached") }),
  z.strictObject({ kind: z.literal("needed"), objectiveId: id }),
  /** The goal names nothing of the course, which begins with it. */
  z.strictObject({ kind: z.literal("course") }),
]);
export type ChosenBecause = z.infer<typeof chosenBecause>;

export const objectiveMastery = z.strictObject({
  objectiveId: id,
  title: text,
  probability: z.number().min(0).max(1),
  mastered: z.boolean(),
  /** Mastery is provisional until an unaided answer at least a day later confirms it. */
  standing: z.enum(standings),
  /** From when on an answer can confirm provisional mastery. */
  dueAt: time.optional(),
  /** Receipt of the answer that brought mastery, while it lasts. */
  masteredAt: z.int().optional(),
  /** The topic it belongs to. */
  href: localHref,
  topic: text,
  /** Why it was chosen; absent from sessions that continue an earlier one. */
  because: chosenBecause.optional(),
  /** The course has too few questions of its own for mastery, and no other can count. */
  tooFewQuestions: z.literal(true).optional(),
  evidence: z.array(masteryEvidence),
});
export type ObjectiveMastery = z.infer<typeof objectiveMastery>;

const messageBase = { messageId: id, at: time, receipt: z.int().min(0).nullable() };
const written = { provider: writer, model: text, fallbackDepth: z.int().min(0) };
/** How a criterion of a text answer's rubric was judged. */
export const criterion = z.strictObject({ criterion: text, met: z.boolean(), reason: text });
export type Criterion = z.infer<typeof criterion>;

/**
 * What was said and done, in order. `receipt` is the number of the ledger entry, where the message has one. A learner's own text is
 * null once it was deleted.
 */
export const tutorMessage = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("goal"), ...messageBase, text: text.nullable() }),
  z.strictObject({
    kind: z.literal("plan"),
    ...messageBase,
    verified: z.boolean(),
    steps: z.array(z.strictObject({ stepId: id, title: text })),
    /** What was found wrong with a proposal that was not installed. */
    findings: z.array(text),
  }),
  z.strictObject({
    kind: z.literal("teaching"),
    ...messageBase,
    stepId: id,
    title: text,
    /** Markdown; `[^N]` is the citation with that number. */
    text,
    citations: z.array(citation),
    /** 1 the first time a step is taught, then each other angle. */
    angle: z.int().min(1),
    outcome: z.enum(["finished", "stopped"]),
    /** The course explains it in no other way than was shown: the text is empty, and the citation is what to read again. */
    nothingElse: z.literal(true).optional(),
    ...written,
  }),
  z.strictObject({
    kind: z.literal("question"),
    ...messageBase,
    itemId: id,
    itemKind: z.enum(itemKinds),
    prompt: text,
    selection: z.enum(selections),
    choices: z.array(cardChoice),
    /** A question of the course's own, without its key. */
    question: shownQuestion.optional(),
    objectiveIds: z.array(id),
    /** Asked at the end of a film, and answered there: of which job. */
    film: id.optional(),
    /** Asked and answered in Review. */
    review: z.literal(true).optional(),
    /** False for practice, which moves nothing. */
    counts: z.boolean().optional(),
    /** Taken away by the learner, without an answer. */
    replaced: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal("answer"),
    ...messageBase,
    itemId: id,
    choiceIds: z.array(choiceId),
    text: text.nullable(),
    /** To a question of the course's own; null once what was written was deleted. */
    response: questionResponse.nullable().optional(),
    correct: z.boolean(),
    /** Own words in practice that no model can judge: the learner compares them with the model answer; `correct` says nothing. */
    compared: z.literal(true).optional(),
    aided: z.boolean(),
    gradedBy: z.enum(["application", "model"]),
    model: text.optional(),
    /** Of a text answer. */
    criteria: z.array(criterion),
    right: z.array(choiceId),
    /** Of a question of the course's own: with what its author says to each choice. */
    key: authoredKey.optional(),
    modelAnswer: text,
    explanation: text,
    citations: z.array(citation),
    disputed: z.boolean(),
    disputable: z.boolean(),
  }),
  z.strictObject({ kind: z.literal("hint"), ...messageBase, itemId: id, level: z.int().min(1), text }),
  z.strictObject({
    kind: z.literal("explanation"),
    ...messageBase,
    itemId: id,
    text,
    right: z.array(choiceId),
    key: authoredKey.optional(),
    modelAnswer: text,
    citations: z.array(citation),
  }),
  /** The learner asked back, and the tutor answered from the course. `itemId`: the question that waited meanwhile. */
  z.strictObject({
    kind: z.literal("asked"),
    ...messageBase,
    itemId: id.nullable(),
    text: text.nullable(),
    /** Markdown; `[^N]` is the citation with that number. Null once the learner's texts were deleted, for it may quote them. */
    reply: text.nullable(),
    citations: z.array(citation),
    outcome: z.enum(["finished", "stopped"]),
    /** The course says nothing about it, or nothing was asked: this was no help. */
    foundNothing: z.literal(true).optional(),
    /** Absent where the application itself replied. */
    ...z.object(written).partial().shape,
  }),
  z.strictObject({ kind: z.literal("self_report"), ...messageBase, objectiveId: id, knows: z.boolean() }),
  z.strictObject({
    kind: z.literal("decision"),
    ...messageBase,
    decision,
    reason,
    /** The same in a sentence: "why this next?". */
    text,
    stepId: id.nullable(),
  }),
]);
export type TutorMessage = z.infer<typeof tutorMessage>;

export const tutorSession = z.strictObject({
  sessionId: id,
  conversationId: id,
  courseId: id,
  courseTitle: text,
  /** BCP 47, of the course's text. */
  language: text,
  courseRevisionId: id,
  goal: text,
  /** Revision of its stream: what `expectedVersion` must be. */
  version: z.int().min(0),
  phase: tutorPhase,
  paused: z.boolean(),
  path: z.array(step),
  /** Null when nothing waits for an answer: then `resume` goes on. */
  current: card.nullable(),
  mastery: z.array(objectiveMastery),
  messages: z.array(tutorMessage),
  references: z.array(attachedReference),
  model: modelSelection,
  startedAt: time,
  updatedAt: time,
  completedAt: time.optional(),
  /** The session whose evidence this one began with. */
  carriedFrom: id.optional(),
  /** Begun for practice, which proves nothing. */
  practice: z.literal(true).optional(),
});
export type TutorSession = z.infer<typeof tutorSession>;

/** A row of the list of sessions. */
export const tutorSessionSummary = tutorSession
  .pick({ sessionId: true, conversationId: true, courseId: true, courseTitle: true, courseRevisionId: true, version: true, phase: true })
  .extend({
    goal: text,
    paused: z.boolean(),
    startedAt: time,
    updatedAt: time,
    /** Objectives that are mastered, and those of them whose mastery is confirmed. */
    mastered: z.int().min(0),
    confirmed: z.int().min(0),
    objectives: z.int().min(0),
    position,
  });
export type TutorSessionSummary = z.infer<typeof tutorSessionSummary>;
