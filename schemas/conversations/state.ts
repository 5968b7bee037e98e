import type { ModelSelection } from "../models.ts";
import type { AttachedReference, ConversationMode } from "../sync/changes.ts";
import type { ConversationEvent } from "./events.ts";

/** One conversation as a fold of its events, without the texts of its turns: plain JSON. */
export interface ConversationState {
  readonly title: string;
  readonly mode: ConversationMode;
  readonly state: "active" | "archived";
  readonly pinned: boolean;
  readonly model: ModelSelection;
  readonly references: AttachedReference[];
  /** Turns; a regenerated turn counts with the turn that it replaces. */
  readonly turnCount: number;
}

/** The state after one more event; null before the conversation is started and once it is deleted. Pure. */
export function evolve(state: ConversationState | null, event: ConversationEvent): ConversationState | null {
  if (event.type === "ConversationDeleted") return null;
  if (event.type === "ConversationStarted") {
    const { title, mode, model, references } = event.data;
    return state ?? { title, mode, state: "active", pinned: false, model, references, turnCount: 0 };
  }
  return state && { ...state, ...changedBy(event, state) };
}

/** What an event after the first one sets. */
function changedBy(event: ConversationEvent, { references, turnCount }: ConversationState): Partial<ConversationState> {
  switch (event.type) {
    case "TurnRecorded":
      return { turnCount: turnCount + (event.data.replaces === undefined ? 1 : 0) };
    case "ConversationRenamed":
      return { title: event.data.title };
    case "ConversationPinned":
    case "ConversationUnpinned":
      return { pinned: event.type === "ConversationPinned" };
    case "ConversationArchived":
    case "ConversationRestored":
      return { state: event.type === "ConversationArchived" ? "archived" : "active" };
    case "ModeChosen":
      return { mode: event.data.mode };
    case "ModelChosen": {
      const { choice, id, allowFallbackWhenPinned } = event.data;
      return { model: choice === "pinned" && id !== undefined ? { choice, id, allowFallbackWhenPinned } : { choice: "automatic" } };
    }
    case "ReferenceAttached": {
      const { schemaVersion: _, ...reference } = event.data;
      return { references: [...references.filter(({ href }) => href !== reference.href), reference] };
    }
    case "ReferenceRemoved":
      return { references: references.filter(({ href }) => href !== event.data.href) };
    default:
      return {};
  }
}
