import type { ConversationChangeType } from "../sync/changes.ts";
import type { ConversationEvent } from "./events.ts";

/** The event that each type of change becomes. Apart from the schemas, so that a browser needs none of them. */
export const conversationEventTypes = {
  started: "ConversationStarted",
  turn_recorded: "TurnRecorded",
  renamed: "ConversationRenamed",
  pinned: "ConversationPinned",
  unpinned: "ConversationUnpinned",
  archived: "ConversationArchived",
  restored: "ConversationRestored",
  deleted: "ConversationDeleted",
  model_chosen: "ModelChosen",
  mode_chosen: "ModeChosen",
  reference_attached: "ReferenceAttached",
  reference_removed: "ReferenceRemoved",
  quiz_attempted: "QuizAttempted",
} as const satisfies Record<ConversationChangeType, ConversationEvent["type"]>;
