import type { TutorItem } from "@colloquy/schemas/tutor/events.ts";
import type { QuestionGate } from "./question-gate.ts";

/** A question that is written before a step is taught, and looked over a second time while the learner reads the step. */
export interface PreparedCheck {
  /** As it was first written, so that the step can teach what it asks; null where nothing new was written. @throws what writing it threw */
  draft: Promise<TutorItem | null>;
  /** As it may be asked; null where nothing may. */
  item: Promise<TutorItem | null>;
}

/** @param write writes a question and takes it through the gate that it is given */
export function preparedCheck(gate: QuestionGate, write: (gate: QuestionGate) => Promise<TutorItem | null>): PreparedCheck {
  const draft = Promise.withResolvers<TutorItem | null>();
  const item = write({
    look(passages, items) {
      draft.resolve(items[0] ?? null);
      return gate.look(passages, items);
    },
  });
  item.then(() => draft.resolve(null), draft.reject);
  // Not awaited when the learner stops before the question is needed.
  draft.promise.catch(() => undefined);
  return { draft: draft.promise, item };
}
