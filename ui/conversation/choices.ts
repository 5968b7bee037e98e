import type { ModelSelection } from "@colloquy/schemas/ai/models.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { AttachedReference } from "@colloquy/schemas/sync/changes.ts";
import type { OwnChange } from "../store/library.ts";

/** What is attached to a conversation, and who is to answer in it. */
export interface Choices {
  readonly references: AttachedReference[];
  readonly model: ModelSelection;
}

export type Choice =
  | { type: "reference_attached"; data: AttachedReference }
  | { type: "reference_removed"; data: { href: string } }
  | { type: "model_chosen"; data: ModelSelection };

/** The choices after one more; the same object when it changes nothing. Pure. */
export function chosen(choices: Choices, choice: Choice): Choices {
  const { references, model } = choices;
  const attached = choice.type !== "model_chosen" && references.some(({ href }) => href === choice.data.href);
  switch (choice.type) {
    case "reference_attached":
      return attached || references.length >= bounds.ask.references ? choices : { model, references: [...references, choice.data] };
    case "reference_removed":
      return attached ? { model, references: references.filter(({ href }) => href !== choice.data.href) } : choices;
    case "model_chosen":
      return JSON.stringify(model) === JSON.stringify(choice.data) ? choices : { references, model: choice.data };
  }
}

/** A choice as it is recorded. Pure. */
export function changeOf(conversationId: string, choice: Choice): OwnChange {
  if (choice.type !== "model_chosen") return { conversationId, ...choice };
  const { data } = choice;
  return {
    conversationId,
    type: choice.type,
    data: data.choice === "pinned" ? data : { choice: data.choice, allowFallbackWhenPinned: false },
  };
}
