import { canonicalText, sha256 } from "@colloquy/infra/ledger/chain.ts";
import type { TutorItem } from "@colloquy/schemas/tutor/events.ts";
import type { GeneratedSelection } from "@colloquy/schemas/tutor/session.ts";

/** A question that a model wrote, as owners may add it to the course. */
export interface Generated {
  objectiveId: string;
  prompt: string;
  selection: GeneratedSelection;
  /** In the order of their texts: each learner sees them in another. */
  choices: { text: string; correct: boolean }[];
  rubric: string[];
  modelAnswer: string;
  explanation: string;
  sourceIds: string[];
  /** Whether a second look found it fit to count. */
  looked: boolean;
}

/** What a model wrote, and the digest of what learners are asked: equal for learners who are asked the same. Pure. */
export function generatedFrom(item: TutorItem): { digest: string; generated: Generated } {
  const { objectiveId, prompt, right, rubric, modelAnswer, explanation, sourceIds, verifiedBy } = item;
  const choices = item.choices
    .map(({ choiceId, text }) => ({ text, correct: right.includes(choiceId) }))
    .toSorted((one, other) => (one.text < other.text ? -1 : 1));
  // The other kinds are of the course's own questions.
  const selection = item.selection as GeneratedSelection;
  const asked = { objectiveId, prompt, selection, choices, rubric, modelAnswer };
  return {
    digest: sha256(canonicalText(asked)),
    generated: { ...asked, explanation, sourceIds, looked: verifiedBy !== undefined },
  };
}
