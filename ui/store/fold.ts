import type { Conversation, ConversationSummary } from "@colloquy/schemas/conversations/requests.ts";
import type { ConversationChangeData, ConversationChangeType } from "@colloquy/schemas/sync/changes.ts";

/** A change of the conversation domain, wherever it was made. */
export interface ConversationChange {
  entityId: string;
  type: string;
  at: string;
  data: Record<string, unknown>;
}

/** A change's data, as its type says. The server refuses a change whose data does not fit its type. */
function dataOf<Type extends ConversationChangeType>(change: ConversationChange, _type: Type): ConversationChangeData[Type] {
  return change.data as ConversationChangeData[Type];
}

const later = (one: string, other: string): string => (one > other ? one : other);

/** What a change makes of a row of the history. Null: no such row (any more). Each change once: a turn that comes twice counts twice. */
export function summaryAfter(summary: ConversationSummary | null, change: ConversationChange): ConversationSummary | null {
  if (change.type === "deleted") return null;
  if (change.type === "started") {
    const { title, mode } = dataOf(change, "started");
    return summary ?? { conversationId: change.entityId, title, mode, state: "active", pinned: false, updatedAt: change.at, turns: 0 };
  }
  if (!summary) return null;
  switch (change.type) {
    case "turn_recorded":
      // A regeneration stands for the turn it replaces, as the server counts.
      return {
        ...summary,
        turns: summary.turns + (dataOf(change, "turn_recorded").replaces === undefined ? 1 : 0),
        updatedAt: later(summary.updatedAt, change.at),
      };
    case "renamed":
      return { ...summary, title: dataOf(change, "renamed").title };
    case "pinned":
    case "unpinned":
      return { ...summary, pinned: change.type === "pinned" };
    case "archived":
    case "restored":
      return { ...summary, state: change.type === "archived" ? "archived" : "active" };
    case "mode_chosen":
      return { ...summary, mode: dataOf(change, "mode_chosen").mode };
    default:
      return summary;
  }
}

/**
 * What a change makes of a whole record. Null: no such record (any more). A turn or an attempt that comes again is not added again; what
 * sets a value sets it anew, so changes are to come in their order.
 */
export function recordAfter(record: Conversation | null, change: ConversationChange): Conversation | null {
  if (change.type === "deleted") return null;
  if (change.type === "started") return record ?? startedRecord(change);
  if (!record) return null;
  const touched = { ...record, updatedAt: later(record.updatedAt, change.at) };
  switch (change.type) {
    case "turn_recorded": {
      const turn = { ...dataOf(change, "turn_recorded"), at: change.at };
      return record.turns.some((other) => other.turnId === turn.turnId) ? record : { ...touched, turns: [...record.turns, turn] };
    }
    case "renamed":
      return { ...record, title: dataOf(change, "renamed").title };
    case "pinned":
    case "unpinned":
      return { ...record, pinned: change.type === "pinned" };
    case "archived":
    case "restored":
      return { ...record, state: change.type === "archived" ? "archived" : "active" };
    case "mode_chosen":
      return { ...record, mode: dataOf(change, "mode_chosen").mode };
    case "model_chosen": {
      const { choice, id, allowFallbackWhenPinned } = dataOf(change, "model_chosen");
      return { ...record, model: choice === "pinned" && id ? { choice, id, allowFallbackWhenPinned } : { choice: "automatic" } };
    }
    case "reference_attached": {
      const reference = dataOf(change, "reference_attached");
      return { ...record, references: [...record.references.filter((other) => other.href !== reference.href), reference] };
    }
    case "reference_removed": {
      const { href } = dataOf(change, "reference_removed");
      return { ...record, references: record.references.filter((other) => other.href !== href) };
    }
    case "quiz_attempted": {
      const attempt = { ...dataOf(change, "quiz_attempted"), at: change.at };
      const known = record.quizAttempts.some(({ quizId, at }) => quizId === attempt.quizId && at === attempt.at);
      return known ? record : { ...record, quizAttempts: [...record.quizAttempts, attempt] };
    }
    default:
      return record;
  }
}

function startedRecord(change: ConversationChange): Conversation {
  const { mode, model, references, title } = dataOf(change, "started");
  return {
    conversationId: change.entityId,
    version: 0,
    title,
    mode,
    state: "active",
    pinned: false,
    model,
    references,
    createdAt: change.at,
    updatedAt: change.at,
    position: "0",
    turns: [],
    quizAttempts: [],
  };
}
