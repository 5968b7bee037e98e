import { bounds } from "@colloquy/schemas/bounds.ts";
import type { ConversationEvent } from "@colloquy/schemas/events/conversation.ts";
import { digestOf } from "../sync/digest.ts";
import { accepted, type ChangeCommand, type Decision, duplicate, refused } from "../sync/entity-kind.ts";
import type { ConversationState } from "./state.ts";

/** Whether a change becomes its event. Existence is revealed to the owner alone; a deletion beats whatever comes after it. */
export function decide({ accountId, eventId, event }: ChangeCommand<ConversationEvent>, state: ConversationState): Decision {
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
