import type { TutorItem } from "@colloquy/schemas/tutor/events.ts";
import type { TutorState } from "@colloquy/schemas/tutor/state.ts";
import { expect } from "chai";
import { missedIn } from "./task-inputs.ts";

describe("what a learner missed", () => {
  const key = {
    kind: "number",
    level: "recall",
    about: [],
    place: "bank",
    hints: [],
    markdown: "How long?",
    value: 35,
    tolerance: 0,
    unit: "cm",
  };

  it("names the response to a question of the course's own, and what is wrong in it", () => {
    const answer = { itemId: "item-1", correct: false, textId: "text-1", choiceIds: [] };
    const state = {
      items: { "item-1": { key, prompt: "How long?", choices: [] } as unknown as TutorItem },
      messages: [{ kind: "answer", answer }],
    } as unknown as TutorState;
    expect(missedIn(state, () => "-35")).to.equal('How long? — -35 — [{"error":"wrong_sign"}]');
    expect(missedIn(state, () => null)).to.equal(null);
  });

  it("names the choices that were taken, and nothing after a right answer", () => {
    const choices = ["a", "b"].map((choiceId) => ({ choiceId, text: `Text ${choiceId}` }));
    const after = (correct: boolean) =>
      missedIn({
        items: { "item-1": { prompt: "Which?", choices } as unknown as TutorItem },
        messages: [{ kind: "answer", answer: { itemId: "item-1", correct, textId: null, choiceIds: ["b"] } }],
      } as unknown as TutorState);
    expect([after(false), after(true)]).to.deep.equal(["Which? — Text b", null]);
  });
});
