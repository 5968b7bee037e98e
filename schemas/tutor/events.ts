import { z } from "zod";
import { defineEvents, type EventDataOf, type EventOf } from "../define-events.ts";
import { modelSelection, writtenBy } from "../models.ts";
import { authoredKey } from "../questions/key.ts";
import { questionResponse } from "../questions/response.ts";
import { recordedCitation } from "../sources/citations.ts";
import { attachedReference } from "../sync/changes.ts";
import { authoredQuestion, evidenceEntry, itemEvidence, ledgerCheckpoint } from "./ledger.ts";
import { chosenBecause, criterion, decision, helps, itemKinds, questionProblems, reason, selections } from "./session.ts";

const text = z.string();

/** An objective that a session teaches. */
const sessionObjective = z.object({
  objectiveId: text,
  title: text,
  topicId: text,
  topicTitle: text,
  /** Address of the topic. */
  href: text,
  /** Whether the course names none for this topic, and this one was made from its title. */
  derived: z.boolean(),
  /** Absent from sessions of older versions, and from those that continue an earlier one. */
  because: chosenBecause.exactOptional(),
  /** All of the course's own questions on it answered right would not bring mastery, and nothing else could count. */
  tooFewQuestions: z.literal(true).exactOptional(),
});
export type SessionObjective = z.infer<typeof sessionObjective>;

/** A question with its answer key, rubric and hints, which the learner does not see. */
const tutorItem = z.object({
  itemId: text,
  kind: z.enum(itemKinds),
  objectiveId: text,
  stepId: text.nullable(),
  breadth: z.enum(["broad", "narrow"]),
  prompt: text,
  selection: z.enum(selections),
  choices: z.array(z.object({ choiceId: text, text })),
  /** The answer key. */
  right: z.array(text),
  rubric: z.array(text),
  modelAnswer: text,
  /** The hint ladder, first rung first. */
  hints: z.array(text),
  explanation: text,
  citations: z.array(recordedCitation),
  sourceIds: z.array(text),
  /** Digest of the text of each source, by which evidence is carried over to a later revision. */
  sourceDigests: z.record(z.string(), z.string()),
  /** Equal for questions that ask the same. */
  sameness: text,
  /** SHA-256 of question and key, as the ledger names it. */
  digest: text,
  by: writtenBy,
  /** What an answer to it says; by the policy for a question that states nothing. */
  evidence: itemEvidence.exactOptional(),
  /** Ids of the statements that it shows. */
  statements: z.array(text).exactOptional(),
  /** Whether what it asks stood in a text that the learner had read when it was made. */
  shown: z.boolean().exactOptional(),
  /** Whose second look found it fit to count. */
  verifiedBy: writtenBy.exactOptional(),
  /** Practice, because no second look at it came in time. */
  unchecked: z.literal(true).exactOptional(),
  /** The job of a video whose closing question this is. */
  film: text.exactOptional(),
  /** A question of the course's own, with its key: it is shown, answered and marked by this. */
  key: authoredKey.exactOptional(),
  authored: authoredQuestion.exactOptional(),
  /** Asked in Review, beside the lesson. */
  review: z.literal(true).exactOptional(),
});
export type TutorItem = z.infer<typeof tutorItem>;

/** A question of an earlier session. */
const askedBefore = z.object({
  objectiveId: text,
  prompt: text,
  sameness: text,
  /** What it showed. */
  statements: z.array(z.object({ id: text, text })).exactOptional(),
});
export type AskedBefore = z.infer<typeof askedBefore>;

const tutorAnswer = z.object({
  messageId: text,
  itemId: text,
  choiceIds: z.array(text),
  /** To a question of the course's own, as far as it consists of ids. */
  response: questionResponse.exactOptional(),
  /** Of what was written; of gaps a JSON list. */
  textId: text.nullable(),
  correct: z.boolean(),
  aided: z.boolean(),
  help: z.enum(helps).exactOptional(),
  gradedBy: z.enum(["application", "model"]),
  by: writtenBy.exactOptional(),
  criteria: z.array(criterion.omit({ reason: true })),
  /** The grader's reasons may quote the learner: they are kept with the learner's texts. */
  reasonsTextId: text.nullable(),
});
export type TutorAnswer = z.infer<typeof tutorAnswer>;

const noData = z.object({});

/** Stream `tutor-<sessionId>`. Learners' own words are never in it: `textId` names them in the stream of texts. */
export const tutorEvents = defineEvents({
  TutorSessionOpened: {
    version: 1,
    data: z.object({
      sessionId: text,
      conversationId: text,
      courseId: text,
      courseTitle: text,
      courseRevisionId: text,
      language: text,
      goalTextId: text,
      objectives: z.array(sessionObjective),
      references: z.array(attachedReference),
      model: modelSelection,
      carriedFrom: text.exactOptional(),
      /** Questions that were answered in the sessions that this one continues: their keys were shown. The newest come last. */
      askedBefore: z.array(askedBefore).exactOptional(),
      /** The learner chose practice, which proves nothing, where no question can count. */
      practice: z.literal(true).exactOptional(),
    }),
  },
  /** A request of the learner was carried out; the events up to the next one are its consequences. */
  TurnTaken: {
    version: 1,
    data: z.object({
      requestId: text,
      digest: text,
      action: z.enum([
        "answer",
        "hint",
        "explanation",
        "pause",
        "resume",
        "replace",
        "dispute",
        "self_report",
        "ask",
        "start",
        "proposal",
        "film",
        "review",
      ]),
      at: text,
      model: modelSelection.exactOptional(),
      /** The course was published again without changing what the session uses: the session's revision from now on. */
      courseRevisionId: text.exactOptional(),
    }),
  },
  ProbesPrepared: { version: 1, data: z.object({ items: z.array(tutorItem) }) },
  ProbeAsked: { version: 1, data: z.object({ itemId: text }) },
  /** A written question that a second look refused: it was never asked. */
  QuestionRejected: {
    version: 1,
    data: z.object({
      objectiveId: text,
      prompt: text,
      /** SHA-256 of question and key. */
      digest: text,
      problems: z.array(z.enum(questionProblems)),
      /** In the words of the second look. */
      reason: text,
      by: writtenBy,
      verifiedBy: writtenBy,
    }),
  },
  CheckAsked: { version: 1, data: z.object({ item: tutorItem }) },
  ProbeAnswered: { version: 1, data: tutorAnswer },
  CheckAnswered: { version: 1, data: tutorAnswer },
  /** An answer of an earlier session, given on text that has not changed. */
  EvidenceCarried: {
    version: 1,
    data: z.object({ fromSessionId: text, fromEntryId: text, itemId: text, sourceDigests: z.record(z.string(), z.string()) }),
  },
  /** The closing question of a video, answered there: an aided answer that leaves the waiting question as it is. */
  FilmQuestionAsked: { version: 1, data: z.object({ item: tutorItem }) },
  FilmQuestionAnswered: { version: 1, data: tutorAnswer },
  /** A question of the course's own, asked and answered in Review: evidence beside the lesson, also when that is completed. */
  ReviewQuestionAsked: { version: 1, data: z.object({ item: tutorItem }) },
  ReviewQuestionAnswered: { version: 1, data: tutorAnswer },
  /** An answer that repeats a text that was shown: it is not graded, and the question goes on waiting. */
  AnswerReturned: { version: 1, data: z.object({ itemId: text, textId: text }) },
  HintGiven: { version: 1, data: z.object({ itemId: text, level: z.number() }) },
  /** The learner asked back, and was answered; help for the question that waits, if one does and the course says something. Both texts are with the learner's own. */
  LearnerAsked: {
    version: 1,
    data: z.object({
      messageId: text,
      textId: text,
      replyTextId: text,
      itemId: text.nullable(),
      citations: z.array(recordedCitation),
      outcome: z.enum(["finished", "stopped"]),
      /** Absent where the application itself replied. */
      by: writtenBy.exactOptional(),
      /** The course says nothing about it, or nothing was asked: no help. */
      foundNothing: z.literal(true).exactOptional(),
    }),
  },
  ExplanationGiven: { version: 1, data: z.object({ itemId: text }) },
  SelfReported: { version: 1, data: z.object({ objectiveId: text, knows: z.boolean() }) },
  PlanRejected: {
    version: 1,
    data: z.object({
      messageId: text,
      attempt: z.number(),
      steps: z.array(z.object({ stepId: text, title: text })),
      findings: z.array(text),
      by: writtenBy,
    }),
  },
  PlanVerified: { version: 1, data: z.object({ by: writtenBy }) },
  PlanInstalled: {
    version: 1,
    data: z.object({ messageId: text, steps: z.array(z.object({ stepId: text, title: text, reason: text })), by: writtenBy }),
  },
  StepTaught: {
    version: 1,
    data: z.object({
      messageId: text,
      stepId: text,
      /** Those of the step; absent from older events. */
      objectiveIds: z.array(text).exactOptional(),
      title: text,
      text,
      citations: z.array(recordedCitation),
      angle: z.number(),
      outcome: z.enum(["finished", "stopped"]),
      by: writtenBy,
      /** The course explains the step in no other way than was shown: `text` is empty, and the citation is what to read again. */
      nothingElse: z.literal(true).exactOptional(),
    }),
  },
  AdaptDecided: { version: 1, data: z.object({ messageId: text, decision, reason, stepId: text.nullable() }) },
  ItemReplaced: { version: 1, data: z.object({ itemId: text }) },
  GradeDisputed: { version: 1, data: z.object({ itemId: text, textId: text.nullable() }) },
  SessionPaused: { version: 1, data: noData },
  SessionResumed: { version: 1, data: noData },
  SessionCompleted: { version: 1, data: noData },
  /** An entry of the ledger, in the chain; comes right after the fact that it records. */
  EvidenceRecorded: { version: 1, data: z.object({ entry: evidenceEntry }) },
  /** The service's signature under the ledger so far. */
  CheckpointSigned: { version: 1, data: z.object({ checkpoint: ledgerCheckpoint }) },
});
export type TutorEvent = EventOf<typeof tutorEvents>;
export type TutorEventData = EventDataOf<typeof tutorEvents>;
export type TutorEventType = TutorEvent["type"];

const tutorTextKind = z.enum(["goal", "answer", "reasons", "dispute", "question", "reply"]);
/** `reasons`: a JSON list, one for each criterion. */
export type TutorTextKind = z.infer<typeof tutorTextKind>;

/** Stream `tutortext-<sessionId>`: the learner's own words with the salts of their commitments. Truncated when they are deleted. */
export const tutorTextEvents = defineEvents({
  TutorTextKept: { version: 1, data: z.object({ textId: text, kind: tutorTextKind, text, salt: text }) },
  TutorTextsDeleted: { version: 1, data: noData },
});
export type TutorTextEvent = EventOf<typeof tutorTextEvents>;

export const tutorStreamPrefix = "tutor-";
export const tutorTextStreamPrefix = "tutortext-";
export const tutorStream = (sessionId: string): string => tutorStreamPrefix + sessionId;
export const tutorTextStream = (sessionId: string): string => tutorTextStreamPrefix + sessionId;
export const sessionIdOf = (stream: string): string => stream.slice(stream.indexOf("-") + 1);
