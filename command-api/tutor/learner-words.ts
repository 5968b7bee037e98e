import { bounds } from "@colloquy/schemas/bounds.ts";
import type { TutorState } from "@colloquy/schemas/tutor/state.ts";

/** What a learner wants and said, as prompts are told it. Their texts are in a stream of their own; what was deleted is in no prompt. */
export interface LearnerWords {
  goal: string;
  /** What they asked and wrote last, the newest at the end. */
  said: readonly string[];
  /** What they were answered when they asked back. */
  replies: readonly string[];
  /** What was written under a text's id. */
  textOf(textId: string | null): string | null;
}

export function learnerWords(state: TutorState, texts: ReadonlyMap<string, { text: string }>): LearnerWords {
  const textOf = (textId: string | null): string | null => (textId === null ? null : (texts.get(textId)?.text ?? null));
  const said: string[] = [];
  const replies: string[] = [];
  for (const message of state.messages) {
    if (message.kind === "asked") {
      said.push(textOf(message.textId) ?? "");
      replies.push(textOf(message.replyTextId) ?? "");
    }
    // Right answers tell the model nothing to respond to.
    if (message.kind === "answer" && !message.answer.correct) said.push(textOf(message.answer.textId) ?? "");
  }
  const kept = (list: readonly string[]): string[] => list.filter((one) => one.trim() !== "");
  return { goal: textOf(state.goalTextId) ?? "", said: kept(said).slice(-bounds.tutor.said), replies: kept(replies), textOf };
}
