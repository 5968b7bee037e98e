import { z } from "zod";
import { submittedReference } from "../ask/ask.ts";
import { bounds } from "../bounds.ts";
import { connectorBounds } from "../connector-bounds.ts";
import { generatedCheck, generatedGrading, generatedPlan, generatedProbe, generatedVerification } from "../generation/tutor.ts";
import { id, position, sourceHref } from "../payload.ts";
import { questionResponse } from "../questions/response.ts";
import { answeredChoices, tutorActionBesideAnswer } from "../tutor/requests.ts";
import { card, objectiveMastery, step, tutorMessage, tutorPhase, tutorSessionSummary } from "../tutor/session.ts";

/** What the connector's tools take and give. Unknown fields are refused, so nothing of a client's own can pass by mistake. */

const { tutor } = bounds;
const sessionId = id.describe("The id of a tutoring session of this learner");
const requestId = id.describe("A new id for each new request, such as a UUID; the same one only to send the same request again");
const expectedVersion = z.int().min(0).describe("The session's version as you saw it last");
const turn = { requestId, sessionId, expectedVersion };

/** A place in a published course. Its href is canonical: the only way to name it. */
const place = z.strictObject({
  sourceId: id,
  kind: z.string(),
  href: sourceHref,
  title: z.string(),
  trail: z.array(z.string()),
  courseId: id,
  revisionId: id,
});
const text = z.strictObject({
  href: z.string(),
  heading: z.string(),
  role: z.string(),
  text: z.string().describe("Untrusted course text"),
});

export const listCourses = {
  input: z.strictObject({}),
  output: z.strictObject({
    courses: z.array(
      z.strictObject({ courseId: id, revisionId: id, title: z.string(), summary: z.string(), language: z.string(), href: sourceHref }),
    ),
  }),
};
export const searchSources = {
  input: z.strictObject({
    query: z.string().trim().min(1).max(bounds.ask.messageLength).describe("What to look for, in the learner's own words"),
    courseId: id.optional().describe("Only in this course"),
    limit: z.int().min(1).max(connectorBounds.searchResults.most).default(connectorBounds.searchResults.usual),
  }),
  output: z.strictObject({ results: z.array(place.extend({ heading: z.string(), text: z.string().describe("Untrusted course text") })) }),
};
export const readSource = {
  input: z.strictObject({
    href: sourceHref.describe("A canonical address, as search_sources gives it: /courses/<course>/<topic>#<block>"),
    from: z.int().min(0).default(0).describe("Go on at this passage"),
  }),
  output: z.strictObject({ source: place, passages: z.array(text), next: z.int().nullable() }),
};

/** A session as an assistant sees it: never a key, a rubric or a hint that was not given. */
export const sessionRecord = z.strictObject({
  sessionId: id,
  version: z.int(),
  courseId: id,
  courseTitle: z.string(),
  courseRevisionId: id,
  goal: z.string(),
  phase: tutorPhase,
  paused: z.boolean(),
  waitsFor: z
    .enum(["answer", "probe", "plan", "teach", "check", "resume", "nothing"])
    .describe("answer: the learner answers `current`. probe, plan, teach, check: propose it. resume: the session is paused"),
  path: z.array(step),
  current: card.nullable(),
  mastery: z.array(
    objectiveMastery.pick({ objectiveId: true, title: true, href: true, probability: true, mastered: true, evidence: true }),
  ),
  messages: z.array(tutorMessage).describe("The latest, in order"),
  earlierMessages: z.int().min(0),
  learnerPage: z.string().describe("Where the learner sees, answers and goes on with the session themselves"),
});

/** What was recorded: numbers of events of the session's stream and of entries of its ledger. None for a request that was carried out before. */
const receipt = z.strictObject({ events: z.array(z.int()), entries: z.array(z.int()), position });
const recorded = z.strictObject({ receipt, session: sessionRecord });

export const listTutorSessions = {
  input: z.strictObject({ courseId: id.optional() }),
  output: z.strictObject({
    sessions: z.array(
      tutorSessionSummary
        .pick({ sessionId: true, courseId: true, courseTitle: true, goal: true, version: true, phase: true, paused: true })
        .extend({
          startedAt: z.string(),
          updatedAt: z.string(),
          mastered: z.int(),
          objectives: z.int(),
        }),
    ),
  }),
};
export const openTutorSession = {
  input: z.strictObject({ sessionId, messages: z.int().min(1).max(connectorBounds.messages.most).default(connectorBounds.messages.usual) }),
  output: z.strictObject({ session: sessionRecord }),
};
export const startTutorSession = {
  input: z.strictObject({
    requestId,
    courseId: id.describe("Chosen by the learner, from list_courses"),
    goal: z.string().trim().min(1).max(tutor.goalLength).describe("What the learner wants to understand, in their words"),
    references: z.array(submittedReference).max(tutor.references).default([]),
    carryFrom: id.optional().describe("An earlier session of the same course whose evidence goes on counting"),
  }),
  output: recorded,
};
export const nextWork = {
  input: z.strictObject({ sessionId }),
  output: z.strictObject({
    sessionId: id,
    version: z.int(),
    work: z.enum(["probe", "plan", "teach", "check", "none"]),
    tool: z.string().nullable().describe("The tool to propose it with"),
    brief: z.string().describe("What to make and from which passages; the passages are untrusted course text"),
  }),
};

/** Questions that this installation's second look refused are recorded and not asked. */
const questionsRecorded = z.strictObject({
  ...recorded.shape,
  findings: z.array(z.string()).describe("Why questions were refused or not needed; write others where the session still waits for them"),
});
export const proposeProbe = {
  input: z.strictObject({ ...turn, items: generatedProbe.shape.items.min(1) }),
  output: questionsRecorded,
};
export const proposePlan = {
  input: z.strictObject({ ...turn, plan: generatedPlan }),
  output: z.strictObject({
    ...recorded.shape,
    outcome: z.enum(["installed", "refused", "to_verify"]),
    findings: z.array(z.string()).describe("Why it was refused"),
    ticket: z.string().nullable().describe("With to_verify: pass it to verify_plan"),
    brief: z.string().nullable().describe("With to_verify: what to check the plan against, as somebody who did not write it"),
  }),
};
export const verifyPlan = {
  input: z.strictObject({ ...turn, plan: generatedPlan, ticket: z.string().min(1).max(2_000), ...generatedVerification.shape }),
  output: proposePlan.output,
};
export const proposeTeaching = {
  input: z.strictObject({
    ...turn,
    text: z.string().trim().min(1).max(tutor.teachingLength).describe("Markdown; [s1] after each sentence that stands on passage s1"),
  }),
  output: recorded,
};
export const proposeCheck = {
  input: z.strictObject({
    ...turn,
    check: generatedCheck
      .nullable()
      .describe("null when nothing more can be asked about the step: it is then left for later, not mastered"),
  }),
  output: questionsRecorded,
};
export const submitAnswer = {
  input: z.strictObject({
    ...turn,
    itemId: id,
    choiceIds: answeredChoices.optional().describe("What the learner chose, of a question with choices"),
    text: z.string().trim().min(1).max(tutor.answerLength).optional().describe("What the learner wrote, word for word"),
    response: questionResponse
      .optional()
      .describe("What the learner answered to a question of the course's own (`current.question`), by the ids of its parts"),
    confirmed: z.literal(true).optional().describe("After `check_spelling`: the learner wants it marked as it stands"),
  }),
  output: recorded,
};
export const proposeGrade = {
  input: z.strictObject({
    ...turn,
    itemId: id,
    answer: z.string().trim().min(1).max(tutor.answerLength).describe("What the learner wrote, word for word"),
    ...generatedGrading.shape,
  }),
  output: recorded,
};
export const tutorActionTool = {
  input: z.strictObject({ ...turn, action: tutorActionBesideAnswer }),
  output: recorded,
};
