import { bounds } from "@colloquy/schemas/bounds.ts";
import type { ErrorCode } from "@colloquy/schemas/errors.ts";
import type { ConversationEvent } from "@colloquy/schemas/events/conversation.ts";
import { type ConversationState, digestOf } from "./state.ts";

/** A device's change, checked against its schema, as the event it would become. */
export interface ChangeCommand {
  accountId: string;
  /** Derived from the account and the change's id, so that a change sent twice is one event. */
  eventId: string;
  event: ConversationEvent;
}

export type Decision = { outcome: "accepted" } | { outcome: "duplicate" } | { outcome: "refused"; code: ErrorCode };

const accepted: Decision = { outcome: "accepted" };
const duplicate: Decision = { outcome: "duplicate" };
const refused = (code: ErrorCode): Decision => ({ outcome: "refused", code });

/** Whether a change becomes its event. Existence is revealed to the owner alone; a deletion beats whatever comes after it. */
export function decide({ accountId, eventId, event }: ChangeCommand, state: ConversationState): Decision {
  if (state.owner === null) return event.type === "ConversationStarted" ? accepted : refused("not_found");
  if (state.owner !== accountId) return refused("not_found");
  const known = state.changes.get(eventId);
  if (known !== undefined) return known === digestOf(event) ? duplicate : refused("request_id_reused");
  if (state.deleted) return event.type === "ConversationDeleted" ? duplicate : refused("not_found");
  if (event.type === "ConversationDeleted") return accepted;
  if (state.changes.size >= bounds.conversation.changes) return refused("too_many");

  switch (event.type) {
    case "ConversationStarted":
      return state.opening === digestOf(event) ? duplicate : refused("request_id_reused");
    case "TurnRecorded":
      return decideTurn(event, state);
    case "ReferenceAttached":
      return state.references.has(event.data.href) || state.references.size < bounds.ask.references ? accepted : refused("too_many");
    case "ModelChosen":
      return event.data.choice === "pinned" && event.data.id === undefined ? refused("invalid_request") : accepted;
    case "QuizAttempted":
      return state.quizzes.has(event.data.quizId) ? accepted : refused("not_found");
    default:
      return accepted;
  }
}

function decideTurn(event: Extract<ConversationEvent, { type: "TurnRecorded" }>, state: ConversationState): Decision {
  const { turnId, replaces } = event.data;
  const known = state.turns.get(turnId);
  if (known !== undefined) return known === digestOf(event) ? duplicate : refused("request_id_reused");
  if (replaces !== undefined && !state.turns.has(replaces)) return refused("invalid_request");
  if (state.turns.size >= bounds.conversation.turns) return refused("too_many");
  return accepted;
}
