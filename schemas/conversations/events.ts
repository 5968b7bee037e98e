import { z } from "zod";
import { defineEvents, type EventOf } from "../define-events.ts";
import { quiz } from "../quiz/quiz.ts";
import { recordedCitation } from "../sources/citations.ts";
import { conversationChangeData as changes } from "../sync/changes.ts";

const citations = z.array(recordedCitation);

/** Stream `conversation-<id>`: each type of change becomes one type of event, its data unchanged but for the version. */
export const conversationEvents = defineEvents({
  ConversationStarted: { version: 1, data: changes.started },
  TurnRecorded: {
    version: 1,
    data: changes.turn_recorded.extend({ citations, artifact: quiz.extend({ sources: citations }).optional() }),
  },
  ConversationRenamed: { version: 1, data: changes.renamed },
  ConversationPinned: { version: 1, data: changes.pinned },
  ConversationUnpinned: { version: 1, data: changes.unpinned },
  ConversationArchived: { version: 1, data: changes.archived },
  ConversationRestored: { version: 1, data: changes.restored },
  ConversationDeleted: { version: 1, data: changes.deleted },
  ModelChosen: { version: 1, data: changes.model_chosen },
  ModeChosen: { version: 1, data: changes.mode_chosen },
  ReferenceAttached: { version: 1, data: changes.reference_attached },
  ReferenceRemoved: { version: 1, data: changes.reference_removed },
  QuizAttempted: { version: 1, data: changes.quiz_attempted },
});
export type ConversationEvent = EventOf<typeof conversationEvents>;
export const isConversationEvent = (event: { type: string }): event is ConversationEvent => conversationEvents.has(event.type);

export const conversationStreamPrefix = "conversation-";
export const conversationStream = (conversationId: string): string => conversationStreamPrefix + conversationId;
export const conversationIdOf = (stream: string): string => stream.slice(conversationStreamPrefix.length);
