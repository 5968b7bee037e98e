import type { ConversationEvent } from "@colloquy/schemas/events/conversation.ts";
import { digestOf } from "../sync/digest.ts";
import type { EntityState, RecordedEvent } from "../sync/entity-kind.ts";

/** What decisions about one conversation need to know of its past; texts are kept only as digests. */
export interface ConversationState extends EntityState {
  readonly changes: ReadonlyMap<string, string>;
  readonly deleted: boolean;
  /** Digest of the opening event's content. */
  readonly opening: string | null;
  /** Digest of each turn's content by turn id. */
  readonly turns: ReadonlyMap<string, string>;
  readonly quizzes: ReadonlySet<string>;
  /** Addresses of the attached references. */
  readonly references: ReadonlySet<string>;
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
export function evolve(state: ConversationState, events: readonly RecordedEvent<ConversationEvent>[]): ConversationState {
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
