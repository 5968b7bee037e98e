import type { z } from "zod";
import type { ConversationChangeType, conversationChangeData } from "../sync/changes.ts";

/** Stream `conversation-<id>`: each type of change becomes one type of event, its data unchanged but for the version. */
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
} as const satisfies Record<ConversationChangeType, string>;

type DataOf<Type extends ConversationChangeType> = z.infer<(typeof conversationChangeData)[Type]>;
type EventOf<Type extends ConversationChangeType> = {
  type: (typeof conversationEventTypes)[Type];
  // zod infers an empty object as a record of nothing, which no other field could join.
  data: Record<string, never> extends DataOf<Type> ? { schemaVersion: 1 } : { schemaVersion: 1 } & DataOf<Type>;
};
export type ConversationEvent = { [Type in ConversationChangeType]: EventOf<Type> }[ConversationChangeType];

export const conversationStream = (conversationId: string): string => `conversation-${conversationId}`;
export const conversationStreamPrefix = "conversation-";

export const conversationIdOf = (stream: string): string => stream.slice(conversationStreamPrefix.length);

const known: ReadonlySet<string> = new Set(Object.values(conversationEventTypes));

/** An event as a stream holds it, in its present shape; null for a type this version does not know. The text in it is untrusted data. */
export function readConversationEvent(stored: { type: string; data: unknown }): ConversationEvent | null {
  if (!known.has(stored.type)) return null;
  const { type, data } = stored as ConversationEvent;
  if (data.schemaVersion !== 1) throw new TypeError(`${type} has the unknown version ${String(data.schemaVersion)}`);
  return { type, data } as ConversationEvent;
}
