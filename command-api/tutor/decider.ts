import { commitmentOf } from "@colloquy/infra/ledger/chain.ts";
import { emptyTree, type Tree, withLeaf } from "@colloquy/infra/ledger/tree.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { markResponse } from "@colloquy/schemas/questions/mark.ts";
import type { QuestionResponse } from "@colloquy/schemas/questions/response.ts";
import type { TutorEvent, TutorEventData, TutorItem } from "@colloquy/schemas/tutor/events.ts";
import { helpOf } from "@colloquy/schemas/tutor/help.ts";
import type { EvidenceEntry, LedgerCheckpoint, PlannedStep } from "@colloquy/schemas/tutor/ledger.ts";
import { authoredEvidence, defaultEvidence, masteryParameters } from "@colloquy/schemas/tutor/mastery.ts";
import { rises } from "@colloquy/schemas/tutor/probabilities.ts";
import { choosesRight } from "@colloquy/schemas/tutor/recompute.ts";
import { probabilityIn } from "@colloquy/schemas/tutor/replay.ts";
import type { TutorAction } from "@colloquy/schemas/tutor/requests.ts";
import type { Help, Reason } from "@colloquy/schemas/tutor/session.ts";
import { evolve as evolveSession, exists, initial, type TutorState } from "@colloquy/schemas/tutor/state.ts";
import { isDisputable } from "@colloquy/schemas/tutor/view.ts";
import { type Decider, type Recorded, Rejection } from "../decider.ts";
import { askedBack } from "./asked-back.ts";
import type { SaltedText, TutorCommand } from "./commands.ts";
import { type Draft, draftFrom, type EntryFields, nameOf } from "./draft.ts";
import { committedQuestion } from "./items.ts";
import {
  currentStep,
  decideAfterAnswer,
  nextProbe,
  nextTask,
  objectivesToProbe,
  remainingObjectives,
  unrecordedBecause,
} from "./policy.ts";
import { responseTo } from "./responses.ts";

/** A session with what the next signature under its ledger stands on. */
export interface SessionState extends TutorState {
  readonly tree: Tree;
  /** The one signed last. */
  readonly checkpoint: LedgerCheckpoint | null;
}

const initialState: SessionState = { ...initial, tree: emptyTree, checkpoint: null };

type Decision = readonly TutorEvent[] | Rejection;
const reject = (code: Rejection["code"], detail: string): Rejection => new Rejection(code, { detail });

function decide(command: TutorCommand, state: TutorState): Decision {
  if (command.type === "open") return open(command, state);
  if (!exists(state)) return reject("not_found", "There is no such session.");
  switch (command.type) {
    case "sign":
      return [{ type: "CheckpointSigned", data: { schemaVersion: 1, checkpoint: command.checkpoint } }];
    case "act":
      return act(command, state);
    case "take proposal":
      return takeProposal(command, state);
    case "answer film":
      return answerFilm(command, state);
    case "answer review":
      return answerReview(command, state);
    case "prepare probes":
      return prepareProbes(command, state);
    case "refuse question": {
      const { type: _, at: _at, requestId: _id, via: _via, ...refused } = command;
      return [{ type: "QuestionRejected", data: { schemaVersion: 1, ...refused } }];
    }
    case "refuse plan":
    case "give up planning":
    case "install plan":
      return planned(command, state);
    case "teach":
      return teach(command, state);
    case "ask":
      return ask(command, state);
    case "leave step":
      return leave(command, state);
  }
}

type Of<Type extends TutorCommand["type"]> = Extract<TutorCommand, { type: Type }>;

function open(command: Of<"open">, state: TutorState): Decision {
  if (exists(state)) return reject("request_id_reused", "This request id was used for another session.");
  if (command.objectives.length === 0) return reject("invalid_request", "This course has nothing a session could teach.");
  const { session, objectives, goal, digest, at, requestId } = command;
  const draft = draftFrom({ ...state, sessionId: session.sessionId }, command);
  draft.emit("TurnTaken", { requestId, digest, action: "start", at });
  draft.emit("TutorSessionOpened", { ...session, objectives, goalTextId: goal.textId });
  draft.record({
    kind: "opened",
    phase: "probing",
    objectiveIds: objectives.map(({ objectiveId }) => objectiveId),
    opening: {
      sessionId: session.sessionId,
      courseId: session.courseId,
      parameters: masteryParameters,
      objectives: objectives.map(({ objectiveId, title }) => ({ objectiveId, title })),
      goal: commitmentOf(goal.salt, goal.text),
      ...(session.carriedFrom !== undefined && { carriedFrom: session.carriedFrom }),
    },
  });
  for (const { entryId, sourceDigests, givenAt, ...fields } of command.carried) {
    const fromSessionId = session.carriedFrom ?? "";
    draft.emit("EvidenceCarried", { fromSessionId, fromEntryId: entryId, itemId: fields.itemId, sourceDigests });
    // Where earlier answers speak of every objective, nothing is left to find out before a path is planned.
    const phase = (after: TutorState) => (objectivesToProbe(after).length > 0 ? "probing" : "planning");
    draft.record({ ...fields, phase, carriedFrom: { sessionId: fromSessionId, entryId, at: givenAt } });
  }
  if (objectivesToProbe(draft.state).length === 0) completeIfMastered(draft);
  return draft.events;
}

/** Why no turn can be taken now, or null. */
function rejectedTurn({ requests, ledger }: TutorState, action: TutorAction["type"] | "proposal"): Rejection | null {
  if (Object.keys(requests).length >= bounds.tutor.turns)
    return reject("too_many", "This session has as many turns as one may have. Start a new one; it can take over your evidence.");
  if (ledger.paused && action !== "resume" && action !== "ask") return reject("wrong_phase", "The session is paused. Resume it first.");
  if (ledger.phase === "completed" && action !== "ask") return reject("wrong_phase", "The session is complete. Start a new one to go on.");
  return null;
}

function takeProposal(command: Of<"take proposal">, state: TutorState): Decision {
  const { digest, at, requestId, courseRevisionId } = command;
  const closed = rejectedTurn(state, "proposal");
  if (closed) return closed;
  const draft = draftFrom(state, command);
  draft.emit("TurnTaken", { requestId, digest, action: "proposal", at, ...(courseRevisionId && { courseRevisionId }) });
  return draft.events;
}

/** An answer given at the end of a film: evidence with help, beside the lesson, which goes on as if nothing had been asked. */
function answerFilm(command: Of<"answer film">, state: TutorState): Decision {
  const { item, choiceId, digest, at, requestId, courseRevisionId } = command;
  const why = unrecordedBecause(state, item.objectiveId);
  if (why) return reject("wrong_phase", `The answer does not count in this session: ${why}.`);
  if (!item.choices.some((choice) => choice.choiceId === choiceId)) return reject("invalid_request", "The question has no such choice.");
  const draft = draftFrom(state, command);
  const { itemId, objectiveId, sourceIds, film } = item;
  const correct = item.right.includes(choiceId);
  draft.emit("TurnTaken", { requestId, digest, action: "film", at, ...(courseRevisionId && { courseRevisionId }) });
  draft.emit("FilmQuestionAsked", { item });
  draft.emit("FilmQuestionAnswered", {
    messageId: draft.id("answer"),
    itemId,
    choiceIds: [choiceId],
    textId: null,
    correct,
    aided: true,
    gradedBy: "application",
    criteria: [],
    reasonsTextId: null,
  });
  draft.record({
    kind: "check",
    phase: state.ledger.phase,
    objectiveIds: [objectiveId],
    itemId,
    correct,
    aided: true,
    sourceIds,
    selection: item.selection,
    choices: item.choices.length,
    itemDigest: item.digest,
    ...weightOf(state, item),
    help: "film",
    question: committedQuestion(item),
    gradedBy: "application",
    response: { choiceIds: [choiceId] },
    model: nameOf(item.by),
    ...(film !== undefined && { film }),
  });
  return draft.events;
}

/** The first questions of a session: what the learner knows of what no answer speaks of yet. */
function prepareProbes(command: Of<"prepare probes">, state: TutorState): Decision {
  if (nextTask(state) !== "probe") return reject("wrong_phase", "No diagnostic questions are wanted now.");
  const draft = draftFrom(state, command);
  draft.emit("ProbesPrepared", { items: command.probes });
  askNextProbe(draft);
  return draft.events;
}

function act(command: Of<"act">, state: TutorState): Decision {
  const { action, digest, at, requestId, model, courseRevisionId } = command;
  const closed = rejectedTurn(state, action.type);
  if (closed) return closed;
  const { phase } = state.ledger;
  const draft = draftFrom(state, command);
  const changed = { ...(model && { model }), ...(courseRevisionId && { courseRevisionId }) };
  draft.emit("TurnTaken", { requestId, digest, action: action.type, at, ...changed });
  switch (action.type) {
    case "answer":
      return answer(command, action, draft);
    case "ask":
      return askedBack(command, draft);
    case "hint":
      return hint(action.itemId, draft);
    case "explanation":
      return explanation(action.itemId, draft);
    case "pause":
      draft.emit("SessionPaused", {});
      decideAdapt(draft, { decision: "pause", reason: "learner", phase });
      return draft.events;
    case "resume":
      return resume(draft);
    case "replace":
      return replace(action.itemId, draft);
    case "dispute":
      return dispute(action.itemId, command.text, draft);
    case "self_report":
      if (!state.objectives.some(({ objectiveId }) => objectiveId === action.objectiveId))
        return reject("invalid_request", "This objective is not one of the session's.");
      draft.emit("SelfReported", { objectiveId: action.objectiveId, knows: action.knows });
      draft.record({ kind: "self_report", phase, objectiveIds: [action.objectiveId], knows: action.knows });
      return draft.events;
  }
}

/** The waiting item, when it is this one. */
function waiting(itemId: string, { state }: Draft): TutorItem | null {
  return state.current === itemId ? (state.items[itemId] ?? null) : null;
}
const notWaiting = reject("wrong_phase", "This question does not wait for an answer any more.");

function answer(command: Of<"act">, action: Extract<TutorAction, { type: "answer" }>, draft: Draft): Decision {
  const item = waiting(action.itemId, draft);
  if (!item) return notWaiting;
  const { grade, text, found, revealed } = command;
  const choiceIds = [...new Set(action.choiceIds ?? [])];
  if (item.key) return answerAuthored(item, action, { text, revealed }, draft);
  if (item.selection === "text") {
    if (!text || (!grade && !found)) return reject("invalid_request", "This question is answered in words.");
    if (found === "copied" && !grade) return returnAnswer(item, text, draft);
  } else {
    const known = new Set(item.choices.map(({ choiceId }) => choiceId));
    if (choiceIds.length === 0 || choiceIds.some((choiceId) => !known.has(choiceId)) || action.text !== undefined)
      return reject("invalid_request", "Choose among the choices of this question.");
    if (item.selection === "single" && choiceIds.length !== 1) return reject("invalid_request", "This question has one answer.");
  }
  const { ledger } = draft.state;
  const before = probabilityIn(ledger, item.objectiveId);
  const help = helpOf(draft.state, item) ?? (found === "copied" ? "copied" : revealed ? "shown" : null);
  const aided = help !== null;
  const repeated = help === "repeated" || help === "shown";
  const correct = grade ? grade.correct : found !== "not_knowing" && choosesRight(choiceIds, item.right);
  draft.emit(item.kind === "probe" ? "ProbeAnswered" : "CheckAnswered", {
    messageId: draft.id("answer"),
    itemId: item.itemId,
    choiceIds,
    textId: text?.textId ?? null,
    correct,
    aided,
    ...(help && { help }),
    gradedBy: grade ? "model" : "application",
    criteria: grade?.criteria ?? [],
    reasonsTextId: grade?.reasonsTextId ?? null,
    ...(grade && { by: grade.by }),
  });
  draft.record({
    kind: item.kind,
    objectiveIds: [item.objectiveId],
    itemId: item.itemId,
    correct,
    aided,
    sourceIds: item.sourceIds,
    selection: item.selection,
    choices: item.choices.length,
    itemDigest: item.digest,
    ...weightOf(draft.state, item),
    ...(help && { help }),
    question: committedQuestion(item),
    ...(grade && { criteria: grade.criteria.map(({ met }) => met) }),
    gradedBy: grade ? "model" : "application",
    response: text ? { commitment: commitmentOf(text.salt, text.text) } : { choiceIds },
    model: nameOf(grade?.by ?? item.by),
    phase: (after) => (item.kind === "check" ? "adapting" : nextProbe(after) ? "probing" : "planning"),
  });
  if (item.kind === "probe") askNextProbe(draft);
  else
    adapt(draft, {
      correct,
      aided,
      repeated,
      counts: item.evidence?.counts !== false,
      unchecked: item.unchecked === true,
      rose: rises(before, probabilityIn(draft.state.ledger, item.objectiveId)),
    });
  return draft.events;
}

/** The answer to a question of the course's own, marked by its key. */
function answerAuthored(
  item: TutorItem,
  action: Extract<TutorAction, { type: "answer" }>,
  { text, revealed }: { text: SaltedText | undefined; revealed: true | undefined },
  draft: Draft,
): Decision {
  const response = responseTo(item, action);
  if (!response) return reject("invalid_request", "Answer every part of this question, in its own form.");
  const { ledger } = draft.state;
  const before = probabilityIn(ledger, item.objectiveId);
  const help = helpOf(draft.state, item) ?? (revealed ? "shown" : null);
  const correct = recordMarked(
    item,
    response,
    { text, help, event: item.kind === "probe" ? "ProbeAnswered" : "CheckAnswered" },
    draft,
    (after) => (item.kind === "check" ? "adapting" : nextProbe(after) ? "probing" : "planning"),
  );
  if (item.kind === "probe") askNextProbe(draft);
  else
    adapt(draft, {
      correct,
      aided: help !== null,
      repeated: help === "repeated" || help === "shown",
      counts: item.evidence?.counts !== false,
      unchecked: item.unchecked === true,
      rose: rises(before, probabilityIn(draft.state.ledger, item.objectiveId)),
    });
  return draft.events;
}

/** Marks a response, and records it with its entry. */
function recordMarked(
  item: TutorItem,
  response: QuestionResponse,
  {
    text,
    help,
    event,
  }: { text: SaltedText | undefined; help: Help | null; event: "ProbeAnswered" | "CheckAnswered" | "ReviewQuestionAnswered" },
  draft: Draft,
  phase: EntryFields["phase"],
): boolean {
  const correct = item.key !== undefined && markResponse(item.key, response).correct;
  const aided = help !== null;
  draft.emit(event, {
    messageId: draft.id(event === "ReviewQuestionAnswered" ? "review answer" : "answer"),
    itemId: item.itemId,
    choiceIds: "choiceIds" in response ? response.choiceIds : [],
    ...(!text && { response }),
    textId: text?.textId ?? null,
    correct,
    aided,
    ...(help && { help }),
    gradedBy: "application",
    criteria: [],
    reasonsTextId: null,
  });
  draft.record({
    kind: item.kind,
    objectiveIds: [item.objectiveId],
    itemId: item.itemId,
    correct,
    aided,
    sourceIds: item.sourceIds,
    selection: item.selection,
    choices: item.choices.length,
    itemDigest: item.digest,
    ...weightOf(draft.state, item),
    ...(help && { help }),
    question: committedQuestion(item),
    gradedBy: "application",
    // What is right stands in the course; what is wrong may be anything that somebody wrote.
    response: text && !correct ? { commitment: commitmentOf(text.salt, text.text) } : response,
    model: nameOf(item.by),
    ...(item.review && { review: item.review }),
    phase,
  });
  return correct;
}

/** An answer given in Review: evidence beside the lesson, which goes on, or stays completed, as it was. */
function answerReview(command: Of<"answer review">, state: TutorState): Decision {
  const { item, response, text, digest, at, requestId, courseRevisionId } = command;
  if (!state.objectives.some(({ objectiveId }) => objectiveId === item.objectiveId))
    return reject("wrong_phase", "This objective is not one of the session's.");
  if (Object.keys(state.requests).length >= bounds.tutor.turns)
    return reject("too_many", "This session has as many turns as one may have.");
  if (!responseTo(item, { response })) return reject("invalid_request", "Answer every part of this question, in its own form.");
  const draft = draftFrom(state, command);
  draft.emit("TurnTaken", { requestId, digest, action: "review", at, ...(courseRevisionId && { courseRevisionId }) });
  draft.emit("ReviewQuestionAsked", { item });
  recordMarked(item, response, { text, help: helpOf(draft.state, item), event: "ReviewQuestionAnswered" }, draft, state.ledger.phase);
  return draft.events;
}

/** An answer that repeats a shown text shows reading: it is not graded, and an example of the learner's own is asked for. */
function returnAnswer(item: TutorItem, text: SaltedText, draft: Draft): Decision {
  const { itemId, objectiveId } = item;
  if (draft.state.returned?.includes(itemId)) return reject("invalid_request", "This answer was returned once and is graded now.");
  draft.emit("AnswerReturned", { itemId, textId: text.textId });
  decideAdapt(draft, {
    decision: "return",
    reason: "copied_text",
    phase: draft.state.ledger.phase,
    itemId,
    objectiveIds: [objectiveId],
    response: { commitment: commitmentOf(text.salt, text.text) },
  });
  return draft.events;
}

function askNextProbe(draft: Draft): void {
  const next = nextProbe(draft.state);
  if (next) draft.emit("ProbeAsked", { itemId: next.itemId });
  else completeIfMastered(draft);
}

/** The end when everything is mastered already. Else what is next follows from the phase: first questions, or a plan. */
function completeIfMastered(draft: Draft): void {
  if (remainingObjectives(draft.state).length === 0) complete(draft);
}

function complete(draft: Draft): void {
  const { path } = draft.state.ledger;
  draft.emit("SessionCompleted", {});
  decideAdapt(draft, {
    decision: "complete",
    reason: path.some((step) => step.state === "skipped") ? "nothing_left" : "mastered",
    phase: "completed",
  });
}

function adapt(draft: Draft, answered: Parameters<typeof decideAfterAnswer>[2]): void {
  const step = currentStep(draft.state);
  if (!step) {
    complete(draft);
    return;
  }
  const { decision, reason } = decideAfterAnswer(draft.state, step, answered);
  const { stepId } = step;
  if (decision === "reinforce") {
    decideAdapt(draft, { decision, reason, stepId, phase: reason === "wrong_answer" ? "teaching" : "checking" });
    return;
  }
  if (decision === "replan") {
    decideAdapt(draft, { decision, reason, stepId, phase: "planning" });
    return;
  }
  decideAdapt(draft, { decision, reason, stepId, phase: "teaching" });
  if (!currentStep(draft.state)) complete(draft);
}

type Adapted = { decision: TutorEventData["AdaptDecided"]["decision"]; reason: Reason; stepId?: string } & Pick<EvidenceEntry, "phase"> &
  Partial<Pick<EvidenceEntry, "objectiveIds" | "itemId" | "sourceIds" | "model" | "disputes" | "response">>;

/** Says what is decided, and why, and records it. */
function decideAdapt(draft: Draft, { decision, reason, stepId, ...entry }: Adapted): void {
  const name = `${decision} ${draft.state.ledger.count}`;
  draft.emit("AdaptDecided", { messageId: draft.id(name), decision, reason, stepId: stepId ?? null });
  const objectiveIds = draft.state.ledger.path.find((step) => step.stepId === stepId)?.objectiveIds ?? [];
  draft.record({ kind: "adapt", objectiveIds, decision, reason, ...(stepId !== undefined && { stepId }), ...entry });
}

function hint(itemId: string, draft: Draft): Decision {
  const item = waiting(itemId, draft);
  if (!item) return notWaiting;
  const level = (draft.state.hints[itemId] ?? 0) + 1;
  if (level > item.hints.length) return reject("wrong_phase", "There are no more hints for this question. You can have it explained.");
  draft.emit("HintGiven", { itemId, level });
  draft.record({ ...helped(draft, item), kind: "hint", level });
  return draft.events;
}

function explanation(itemId: string, draft: Draft): Decision {
  const item = waiting(itemId, draft);
  if (!item) return notWaiting;
  if (draft.state.explained.includes(itemId)) return reject("wrong_phase", "This question was explained already.");
  draft.emit("ExplanationGiven", { itemId });
  draft.record({ ...helped(draft, item), kind: "explanation" });
  return draft.events;
}

const helped = ({ state }: Draft, item: TutorItem) => ({
  phase: state.ledger.phase,
  objectiveIds: [item.objectiveId],
  itemId: item.itemId,
  sourceIds: item.sourceIds,
  aided: true,
  model: nameOf(item.by),
});

function resume(draft: Draft): Decision {
  const { state } = draft;
  const { phase, paused } = state.ledger;
  if (!paused && state.current !== null) return reject("wrong_phase", "A question waits for your answer.");
  if (paused) draft.emit("SessionResumed", {});
  const following = phase === "teaching" && state.step.awaitsItem ? "checking" : phase;
  decideAdapt(draft, { decision: "resume", reason: "learner", phase: following });
  return draft.events;
}

function replace(itemId: string, draft: Draft): Decision {
  const item = waiting(itemId, draft);
  if (!item) return notWaiting;
  draft.emit("ItemReplaced", { itemId });
  const following = item.kind === "check" ? "checking" : nextProbe(draft.state) ? "probing" : "planning";
  decideAdapt(draft, { decision: "replace", reason: "learner", phase: following, itemId, objectiveIds: [item.objectiveId] });
  if (item.kind === "probe") askNextProbe(draft);
  return draft.events;
}

function dispute(itemId: string, text: SaltedText | undefined, draft: Draft): Decision {
  if (!isDisputable(draft.state, itemId))
    return reject("wrong_phase", "Only the latest answer can be disputed, and only when a model graded it as wrong.");
  const item = draft.state.items[itemId];
  const graded = draft.state.ledger.answers.findLast((one) => one.itemId === itemId);
  if (!item || !graded) return notWaiting;
  draft.emit("GradeDisputed", { itemId, textId: text?.textId ?? null });
  decideAdapt(draft, {
    decision: "dispute",
    reason: "learner",
    phase: draft.state.ledger.phase,
    itemId,
    disputes: graded.entryId,
    objectiveIds: [item.objectiveId],
  });
  return draft.events;
}

function planned(command: Of<"refuse plan" | "give up planning" | "install plan">, state: TutorState): Decision {
  if (state.ledger.phase !== "planning") return reject("wrong_phase", "No plan is wanted now.");
  const draft = draftFrom(state, command);
  if (command.type === "give up planning") {
    decideAdapt(draft, { decision: "wait", reason: "plan_unverified", phase: "planning" });
    return draft.events;
  }
  const kept = state.ledger.path.filter((step) => step.state === "mastered" || step.state === "skipped");
  const steps: PlannedStep[] = [...kept.map(({ state: _, ...step }) => step), ...command.steps.map(withoutReason)];
  const objectiveIds = [...new Set(command.steps.flatMap((step) => step.objectiveIds))];
  const sourceIds = [...new Set(command.steps.flatMap((step) => step.sourceIds))];
  const shown = command.steps.map(({ stepId, title }) => ({ stepId, title }));
  const common = { kind: "plan" as const, objectiveIds, sourceIds, model: nameOf(command.by) };
  if (command.type === "refuse plan") {
    const { attempt, findings, by } = command;
    draft.emit("PlanRejected", { messageId: draft.id(`plan ${attempt}`), attempt, steps: shown, findings, by });
    draft.record({ ...common, phase: "planning", verified: false });
    return draft.events;
  }
  draft.emit("PlanVerified", { by: command.verifiedBy });
  const why = command.steps.map(({ stepId, title, reason }) => ({ stepId, title, reason }));
  draft.emit("PlanInstalled", { messageId: draft.id("plan"), steps: why, by: command.by });
  draft.record({ ...common, phase: "teaching", verified: true, steps });
  if (!currentStep(draft.state)) complete(draft);
  return draft.events;
}

const withoutReason = ({ stepId, title, objectiveIds, sourceIds, prerequisites }: PlannedStep): PlannedStep => ({
  stepId,
  title,
  objectiveIds,
  sourceIds,
  prerequisites,
});

function teach(command: Of<"teach">, state: TutorState): Decision {
  const step = currentStep(state);
  if (!step || step.stepId !== command.stepId || state.current !== null) return reject("wrong_phase", "This step is not taught now.");
  const draft = draftFrom(state, command);
  const { stepId, text, citations, outcome, by } = command;
  const angle = (state.step.stepId === stepId ? state.step.taught : 0) + 1;
  draft.emit("StepTaught", {
    messageId: draft.id(`teach ${stepId} ${angle}`),
    stepId,
    title: step.title,
    text,
    citations,
    angle,
    outcome,
    by,
  });
  decideTeaching(draft, { stepId, angle, citations, outcome, by });
  return draft.events;
}

/** Teaching is no decision of its own kind in the wire's list of entries: it is recorded as one to teach. */
function decideTeaching(
  draft: Draft,
  { stepId, angle, citations, outcome, by }: Pick<TutorEventData["StepTaught"], "stepId" | "angle" | "citations" | "outcome" | "by">,
): void {
  const step = draft.state.ledger.path.find((one) => one.stepId === stepId);
  draft.record({
    kind: "adapt",
    decision: "teach",
    reason: angle > 1 ? "another_angle" : "next_step",
    stepId,
    model: nameOf(by),
    objectiveIds: step?.objectiveIds ?? [],
    sourceIds: [...new Set(citations.map(({ sourceId }) => sourceId))],
    phase: outcome === "finished" ? "checking" : "teaching",
  });
}

function ask(command: Of<"ask">, state: TutorState): Decision {
  const { item } = command;
  if (state.current !== null || !state.step.awaitsItem) return reject("wrong_phase", "No question is wanted now.");
  const last = state.items[state.asked.at(-1) ?? ""];
  if (last?.sameness === item.sameness) return reject("ai_unavailable", "The same question came twice in a row.");
  const draft = draftFrom(state, command);
  draft.emit("CheckAsked", { item });
  return draft.events;
}

/** Nothing can be asked about the current step: it is left for later. */
function leave(command: Of<"leave step">, state: TutorState): Decision {
  const step = currentStep(state);
  if (!step || state.current !== null) return reject("wrong_phase", "No step is taught now.");
  const draft = draftFrom(state, command);
  decideAdapt(draft, { decision: "advance", reason: "no_new_question", stepId: step.stepId, phase: "teaching" });
  if (!currentStep(draft.state)) complete(draft);
  return draft.events;
}

/** What an answer to a question says by the session's policy; what a second look found of a written one may be guessed more often. */
function weightOf({ ledger: { parameters } }: TutorState, item: TutorItem): Pick<EvidenceEntry, "evidence" | "statements" | "verifiedBy"> {
  if (parameters.version === 1) return {};
  const { key, selection, choices, evidence: stated } = item;
  const usual = key ? authoredEvidence(key, parameters) : defaultEvidence({ selection, choices: choices.length }, parameters);
  const isWritten = !item.authored && selection !== "text";
  const guess = Math.max(usual.guess, isWritten && stated ? stated.guess : 0);
  const evidence = { ...usual, guess, counts: stated?.counts ?? usual.counts };
  const { statements, verifiedBy } = item;
  return { evidence, ...(statements && { statements }), ...(verifiedBy && { verifiedBy: nameOf(verifiedBy) }) };
}

function evolve(state: SessionState, event: Recorded<TutorEvent>): SessionState {
  const { accountId, tree, checkpoint } = state;
  return {
    ...evolveSession(state, event),
    accountId: accountId || (event.metadata.accountId ?? ""),
    tree: event.type === "EvidenceRecorded" ? withLeaf(tree, event.data.entry.hash) : tree,
    checkpoint: event.type === "CheckpointSigned" ? event.data.checkpoint : checkpoint,
  };
}

export const tutorDecider: Decider<TutorCommand, TutorEvent, SessionState> = { initialState, decide, evolve };
