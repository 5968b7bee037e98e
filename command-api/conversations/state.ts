import { createHash } from "node:crypto";
import type { ConversationEvent } from "@colloquy/schemas/events/conversation.ts";
import canonicalize from "canonicalize";

/** What decisions about one conversation need to know of its past; texts are kept only as digests. */
export interface ConversationState {
  /** The account of the first event; null before it. */
  readonly owner: string | null;
  readonly deleted: boolean;
  /** Digest of the opening event's content. */
  readonly opening: string | null;
  /** Digest of each event's content by event id. */
  readonly changes: ReadonlyMap<string, string>;
  /** Digest of each turn's content by turn id. */
  readonly turns: ReadonlyMap<string, string>;
  readonly quizzes: ReadonlySet<string>;
  /** Addresses of the attached references. */
  readonly references: ReadonlySet<string>;
}

export interface RecordedEvent {
  id: string;
  accountId: string;
  event: ConversationEvent;
}

export const initial: ConversationState = {
  owner: null,
  deleted: false,
  opening: null,
  changes: new Map(),
  turns: new Map(),
  quizzes: new Set(),
  references: new Set(),
};

/** The state after more events; the given state stays as it is. Many at once, because each call copies. */
export function evolve(state: ConversationState, events: readonly RecordedEvent[]): ConversationState {
  let { owner, deleted, opening } = state;
  const changes = new Map(state.changes);
  const turns = new Map(state.turns);
  const quizzes = new Set(state.quizzes);
  const references = new Set(state.references);
  for (const { id, accountId, event } of events) {
    owner ??= accountId;
    changes.set(id, digestOf(event));
    switch (event.type) {
      case "ConversationStarted":
        opening = digestOf(event);
        for (const { href } of event.data.references) references.add(href);
        break;
      case "TurnRecorded":
        turns.set(event.data.turnId, digestOf(event));
        if (event.data.artifact) quizzes.add(event.data.artifact.quizId);
        break;
      case "ReferenceAttached":
        references.add(event.data.href);
        break;
      case "ReferenceRemoved":
        references.delete(event.data.href);
        break;
      case "ConversationDeleted":
        deleted = true;
        for (const part of [turns, quizzes, references]) part.clear();
        break;
      default:
    }
  }
  return { owner, deleted, opening, changes, turns, quizzes, references };
}

/** Equal for equal content, whatever the order of its fields. */
export function digestOf(event: ConversationEvent): string {
  return createHash("sha256")
    .update(canonicalize({ type: event.type, data: event.data }) ?? "")
    .digest("base64");
}
