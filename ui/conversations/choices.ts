import { bounds } from "@colloquy/schemas/bounds.ts";
import type { ModelSelection } from "@colloquy/schemas/models.ts";
import type { AttachedReference, ConversationMode } from "@colloquy/schemas/sync/changes.ts";
import type { LocalChange } from "../store/library.ts";

/** A conversation's references, model and mode. */
export interface Choices {
  readonly references: AttachedReference[];
  readonly model: ModelSelection;
  readonly mode: ConversationMode;
}

export type Choice =
  | { type: "reference_attached"; data: AttachedReference }
  | { type: "reference_removed"; data: { href: string } }
  | { type: "model_chosen"; data: ModelSelection }
  | { type: "mode_chosen"; data: { mode: ConversationMode } };

/** Applies a choice; returns the same object if nothing changes. Pure. */
export function applyChoice(choices: Choices, choice: Choice): Choices {
  const { references } = choices;
  const attached = "href" in choice.data && isAttached(references, choice.data.href);
  switch (choice.type) {
    case "reference_attached":
      return attached || references.length >= bounds.ask.references ? choices : { ...choices, references: [...references, choice.data] };
    case "reference_removed":
      return attached ? { ...choices, references: references.filter(({ href }) => href !== choice.data.href) } : choices;
    case "model_chosen":
      return JSON.stringify(choices.model) === JSON.stringify(choice.data) ? choices : { ...choices, model: choice.data };
    case "mode_chosen":
      return choices.mode === choice.data.mode ? choices : { ...choices, mode: choice.data.mode };
  }
}

const isAttached = (references: readonly AttachedReference[], at: string): boolean => references.some(({ href }) => href === at);

/** A choice as the change that records it. Pure. */
export function choiceChange(conversationId: string, choice: Choice): LocalChange {
  if (choice.type !== "model_chosen") return { conversationId, ...choice };
  const { data } = choice;
  return {
    conversationId,
    type: choice.type,
    data: data.choice === "pinned" ? data : { choice: data.choice, allowFallbackWhenPinned: false },
  };
}
