import { conversationEventTypes } from "@colloquy/schemas/conversations/event-types.ts";
import type { ConversationEvent } from "@colloquy/schemas/conversations/events.ts";
import type { Conversation, ConversationSummary } from "@colloquy/schemas/conversations/requests.ts";
import { type ConversationState, evolve } from "@colloquy/schemas/conversations/state.ts";
import type { ConversationChangeType } from "@colloquy/schemas/sync/changes.ts";

/** A change of the conversation domain, wherever it was made. */
export interface ConversationChange {
  entityId: string;
  type: string;
  at: string;
  data: Record<string, unknown>;
}

const isConversationChange = (type: string): type is ConversationChangeType => Object.hasOwn(conversationEventTypes, type);

/** The event that a change is; null for one of a newer version. The server refuses a change whose data does not fit its type. */
function eventOf({ type, data }: ConversationChange): ConversationEvent | null {
  if (!isConversationChange(type)) return null;
  return { type: conversationEventTypes[type], data: { ...data, schemaVersion: 1 } } as ConversationEvent;
}

const later = (one: string, other: string): string => (one > other ? one : other);

/** A history row after a change. Null: no such row (any more). Each change once: a turn that comes twice counts twice. */
export function summaryAfter(summary: ConversationSummary | null, change: ConversationChange): ConversationSummary | null {
  const event = eventOf(change);
  if (!event) return summary;
  const before = summary && { ...summary, model: { choice: "automatic" as const }, references: [], turnCount: summary.turns };
  const after = evolve(before, event);
  if (!after) return null;
  const { title, mode, state, pinned, turnCount: turns } = after;
  const row = { title, mode, state, pinned, turns };
  if (!summary) return { conversationId: change.entityId, ...row, updatedAt: change.at };
  return { ...summary, ...row, updatedAt: event.type === "TurnRecorded" ? later(summary.updatedAt, change.at) : summary.updatedAt };
}

/**
 * A whole record after a change. Null: no such record (any more). A turn or an attempt that comes again is not added again; changes that set
 * a value set it again, so they must come in their order.
 */
export function recordAfter(record: Conversation | null, change: ConversationChange): Conversation | null {
  const event = eventOf(change);
  if (!event) return record;
  const after = evolve(record && stateOf(record), event);
  if (!after) return null;
  const { turnCount: _, ...fields } = after;
  if (!record) return startedRecord(change, fields);
  const next = { ...record, ...fields };
  if (event.type === "TurnRecorded") {
    const { schemaVersion: _version, ...turn } = event.data;
    if (record.turns.some(({ turnId }) => turnId === turn.turnId)) return record;
    return { ...next, updatedAt: later(record.updatedAt, change.at), turns: [...record.turns, { ...turn, at: change.at }] };
  }
  if (event.type === "QuizAttempted") {
    const { schemaVersion: _version, ...attempt } = event.data;
    const isKnown = record.quizAttempts.some(({ quizId, at }) => quizId === attempt.quizId && at === change.at);
    return isKnown ? record : { ...next, quizAttempts: [...record.quizAttempts, { ...attempt, at: change.at }] };
  }
  return next;
}

function stateOf({ title, mode, state, pinned, model, references, turns }: Conversation): ConversationState {
  return { title, mode, state, pinned, model, references, turnCount: turns.length };
}

const startedRecord = ({ entityId, at }: ConversationChange, fields: Omit<ConversationState, "turnCount">): Conversation => ({
  conversationId: entityId,
  version: 0,
  ...fields,
  createdAt: at,
  updatedAt: at,
  position: "0",
  turns: [],
  quizAttempts: [],
});
