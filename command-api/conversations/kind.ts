import { type ConversationEvent, readConversationEvent } from "@colloquy/schemas/events/conversation.ts";
import type { EntityKind } from "../sync/entity-kind.ts";
import { decide } from "./decider.ts";
import { type ConversationState, evolve, initial } from "./state.ts";

export const conversationKind: EntityKind<ConversationState, ConversationEvent> = {
  name: "conversation",
  readEvent: readConversationEvent,
  initial,
  evolve,
  decide,
  deletion: "ConversationDeleted",
};
