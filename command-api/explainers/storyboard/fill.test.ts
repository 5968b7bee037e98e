import type { GeneratedScene, GeneratedStoryboard } from "@colloquy/schemas/generation/storyboard.ts";
import { expect } from "chai";
import type { KeyedPassage } from "./choose-passages.ts";
import { fillScenes } from "./fill.ts";

const passage = { key: "s1", sourceId: "source-pipes-1", text: "A pipe hands on what the left command writes." } as KeyedPassage;
const question = (number: number, texts: readonly string[]) =>
  ({
    layout: "question",
    heading: "",
    question: `What is handed on, number ${number}?`,
    explanation: "The course says so.",
    choices: texts.map((text) => ({ text, correct: text === "the right one" })),
    narration: "Which is right?",
    passages: ["s1"],
    quotes: [{ passage: "s1", quote: passage.text }],
  }) as unknown as GeneratedScene;
const texts = ["the right one", "a wrong one", "another one", "a last one"];

/** The choices in their order, and where the right one stands. */
function asked(number: number, given: readonly string[] = texts) {
  const board = { title: "Pipes", refusal: "", scenes: [question(number, given)] } as GeneratedStoryboard;
  const made = fillScenes(board, { passages: [passage], newId: () => "scene-000001" });
  if (!made.ok) throw new Error(JSON.stringify(made.findings));
  const [scene] = made.scenes;
  return { choices: scene?.layout === "question" ? scene.content.choices : [], right: made.key.right };
}

describe("the choices of a closing question", () => {
  it("have the same order, whatever order a model gives", () => {
    const { choices, right } = asked(1);
    expect(asked(1)).to.deep.equal({ choices, right });
    expect(asked(1, texts.toReversed())).to.deep.equal({ choices, right });
    expect(choices[right]).to.equal("the right one");
    expect(choices.toSorted()).to.deep.equal(texts.toSorted());
  });

  it("have the right one at each place about equally often", () => {
    const counts = [0, 0, 0, 0];
    for (let number = 0; number < 1_000; number += 1) {
      const { right } = asked(number);
      counts[right] = (counts[right] ?? 0) + 1;
    }
    // Three standard deviations of a fair choice of four are 41.
    for (const count of counts) expect(count).to.be.within(209, 291);
  });
});
