import { commitmentOf } from "@colloquy/infra/ledger/chain.ts";
import { emptyTree, type Tree, withLeaf } from "@colloquy/infra/ledger/tree.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { TutorEvent, TutorItem } from "@colloquy/schemas/tutor/events.ts";
import type { LedgerCheckpoint } from "@colloquy/schemas/tutor/ledger.ts";
import { masteryParameters } from "@colloquy/schemas/tutor/mastery.ts";
import type { TutorAction } from "@colloquy/schemas/tutor/requests.ts";
import { evolve as evolveSession, exists, initial, type TutorState } from "@colloquy/schemas/tutor/state.ts";
import { isDisputable } from "@colloquy/schemas/tutor/view.ts";
import type { Decider, Recorded, Rejection } from "../decider.ts";
import { askNextProbe, completeIfMastered, decideAdapt } from "./adapting.ts";
import { answer, answerFilm, answerReview, notWaiting, waiting } from "./answers.ts";
import { askedBack } from "./asked-back.ts";
import type { CommandOf, SaltedText, TutorCommand } from "./commands.ts";
import { type Decision, type Draft, draftFrom, nameOf, reject } from "./draft.ts";
import { ask, leave, planned, prepareProbes, teach } from "./lesson-steps.ts";
import { nextProbe, objectivesToProbe } from "./policy.ts";

/** A session with what the next signature under its ledger stands on. */
export interface SessionState extends TutorState {
  readonly tree: Tree;
  /** The one signed last. */
  readonly checkpoint: LedgerCheckpoint | null;
}

const initialState: SessionState = { ...initial, tree: emptyTree, checkpoint: null };

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

function open(command: CommandOf<"open">, state: TutorState): Decision {
  if (exists(state)) return reject("request_id_reused", "This request id was used for another session.");
  if (command.objectives.length === 0) return reject("invalid_request", "This course has nothing a session could teach.");
  const { session, objectives, goal, digest, at, requestId, asksNothingFirst } = command;
  const draft = draftFrom({ ...state, sessionId: session.sessionId }, command);
  draft.emit("TurnTaken", { requestId, digest, action: "start", at });
  draft.emit("TutorSessionOpened", { ...session, objectives, goalTextId: goal.textId });
  draft.record({
    kind: "opened",
    phase: asksNothingFirst ? "planning" : "probing",
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
    const phase = (after: TutorState) => (!asksNothingFirst && objectivesToProbe(after).length > 0 ? "probing" : "planning");
    draft.record({ ...fields, phase, carriedFrom: { sessionId: fromSessionId, entryId, at: givenAt } });
  }
  if (draft.state.ledger.phase === "planning") completeIfMastered(draft);
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

function takeProposal(command: CommandOf<"take proposal">, state: TutorState): Decision {
  const { digest, at, requestId, courseRevisionId } = command;
  const closed = rejectedTurn(state, "proposal");
  if (closed) return closed;
  const draft = draftFrom(state, command);
  draft.emit("TurnTaken", { requestId, digest, action: "proposal", at, ...(courseRevisionId && { courseRevisionId }) });
  return draft.events;
}

function act(command: CommandOf<"act">, state: TutorState): Decision {
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
