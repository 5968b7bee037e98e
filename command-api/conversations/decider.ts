import { bounds } from "@colloquy/schemas/bounds.ts";
import { type ConversationEvent, isConversationEvent } from "@colloquy/schemas/conversations/events.ts";
import { type ConversationState, evolve as evolveConversation } from "@colloquy/schemas/conversations/state.ts";
import { type ChangeCommand, DigestLog, decideRepeated, digestOf, type EntityState, evolveEntity } from "../change-decider.ts";
import { type Decider, type Recorded, Rejection } from "../decider.ts";

/** What decisions about one conversation need to know of its past; texts are kept only as digests. */
export interface DecidedConversation extends EntityState {
  /** Null before the conversation is started and once it is deleted. */
  readonly conversation: ConversationState | null;
  readonly deleted: boolean;
  /** Digest of the opening event's content. */
  readonly opening: string | null;
  /** Digest of each turn's content by turn id. */
  readonly turns: DigestLog;
  readonly quizzes: DigestLog;
}

const initialState: DecidedConversation = {
  owner: null,
  conversation: null,
  changes: DigestLog.empty,
  deleted: false,
  opening: null,
  turns: DigestLog.empty,
  quizzes: DigestLog.empty,
};

/** A deletion beats whatever comes after it. */
function decide(command: ChangeCommand, state: DecidedConversation): readonly ConversationEvent[] | Rejection {
  const known = decideRepeated(command, state);
  if (known) return known;
  const { event } = command;
  if (!isConversationEvent(event)) return new Rejection("invalid_request");
  if (state.owner === null) return event.type === "ConversationStarted" ? [event] : new Rejection("not_found");
  if (state.deleted) return event.type === "ConversationDeleted" ? [] : new Rejection("not_found");
  if (event.type === "ConversationDeleted") return [event];
  if (state.changes.size >= bounds.conversation.changes) return new Rejection("too_many");

  switch (event.type) {
    case "ConversationStarted":
      return state.opening === digestOf(event) ? [] : new Rejection("request_id_reused");
    case "TurnRecorded":
      return decideTurn(event, state);
    case "ReferenceAttached": {
      const attached = new Set(state.conversation?.references.map(({ href }) => href));
      return attached.has(event.data.href) || attached.size < bounds.ask.references ? [event] : new Rejection("too_many");
    }
    case "ModelChosen":
      return event.data.choice === "pinned" && event.data.id === undefined ? new Rejection("invalid_request") : [event];
    case "QuizAttempted":
      return state.quizzes.has(event.data.quizId) ? [event] : new Rejection("not_found");
    default:
      return [event];
  }
}

function decideTurn(
  event: Extract<ConversationEvent, { type: "TurnRecorded" }>,
  state: DecidedConversation,
): readonly ConversationEvent[] | Rejection {
  const { turnId, replaces } = event.data;
  const known = state.turns.get(turnId);
  if (known !== undefined) return known === digestOf(event) ? [] : new Rejection("request_id_reused");
  if (replaces !== undefined && !state.turns.has(replaces)) return new Rejection("invalid_request");
  if (state.turns.size >= bounds.conversation.turns) return new Rejection("too_many");
  return [event];
}

function evolve(state: DecidedConversation, event: Recorded<ConversationEvent>): DecidedConversation {
  const digest = digestOf(event);
  const conversation = evolveConversation(state.conversation, event);
  const next: DecidedConversation = { ...state, ...evolveEntity(state, event, digest), conversation };
  switch (event.type) {
    case "ConversationStarted":
      return { ...next, opening: digest };
    case "TurnRecorded": {
      const { turnId, artifact } = event.data;
      const quizzes = artifact ? state.quizzes.with(artifact.quizId) : state.quizzes;
      return { ...next, turns: state.turns.with(turnId, digest), quizzes };
    }
    case "ConversationDeleted":
      return { ...next, deleted: true, turns: DigestLog.empty, quizzes: DigestLog.empty };
    default:
      return next;
  }
}

export const conversationDecider: Decider<ChangeCommand, ConversationEvent, DecidedConversation> = { initialState, decide, evolve };
