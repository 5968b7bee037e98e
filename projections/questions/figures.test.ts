import { expect } from "chai";
import { type GivenAnswer, questionFigures } from "./figures.ts";

let position = 0;
const answer = (learner: number, blockId: string, correct: boolean, more: Partial<GivenAnswer> = {}): GivenAnswer => {
  position += 1;
  const at = String(position).padStart(5, "0");
  return { accountId: `acc_${learner}`, blockId, digest: "one", asked: at, answered: at, correct, help: "", choices: [], ...more };
};
const learners = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const figuresOf = (answers: GivenAnswer[], key = "block-a one") => questionFigures(answers, 5).get(key);

describe("figures of a question", () => {
  it("are left out for fewer than five different learners", () => {
    const four = learners(4).flatMap((learner) => [answer(learner, "block-a", true), answer(learner, "block-a", true)]);
    expect(questionFigures(four, 5).size).to.equal(0);
    const five = figuresOf([...four, answer(4, "block-a", false)]);
    expect(five).to.deep.include({ asked: 9, learners: 5, right: 4 });
  });

  it("count the first try of each learner, and help as no success", () => {
    const given = [
      ...learners(4).map((learner) => answer(learner, "block-a", false)),
      ...learners(4).map((learner) => answer(learner, "block-a", true)),
      answer(4, "block-a", true, { help: "hint" }),
      answer(5, "block-a", true),
    ];
    expect(figuresOf(given)).to.deep.include({ asked: 10, learners: 6, right: 1 });
  });

  it("leave out learners who had seen the answer", () => {
    const given = learners(5).map((learner) => answer(learner, "block-a", true, learner === 0 ? { help: "shown" } : {}));
    expect(figuresOf(given)).to.equal(undefined);
  });

  it("keep versions apart", () => {
    const given = learners(6).flatMap((learner) => [
      answer(learner, "block-a", true),
      answer(learner, "block-a", false, { digest: "two" }),
    ]);
    expect([figuresOf(given)?.right, figuresOf(given, "block-a two")?.right]).to.deep.equal([6, 0]);
  });

  it("count each choice once a learner, of the first answer", () => {
    const given = [
      ...learners(6).map((learner) => answer(learner, "block-a", false, { choices: learner < 2 ? ["x", "y"] : ["y"] })),
      answer(0, "block-a", false, { choices: ["z"] }),
    ];
    expect([...(figuresOf(given)?.choices ?? [])]).to.deep.equal([
      ["x", 2],
      ["y", 6],
    ]);
  });

  it("correlate with the learner's other answers only", () => {
    // Three know everything, three know nothing.
    const given = learners(6).flatMap((learner) => ["block-a", "block-b", "block-c"].map((block) => answer(learner, block, learner < 3)));
    expect(figuresOf(given)?.discrimination).to.be.closeTo(1, 1e-9);
    const upsideDown = given.map((one) => (one.blockId === "block-a" ? { ...one, correct: !one.correct } : one));
    expect(figuresOf(upsideDown)?.discrimination).to.be.closeTo(-1, 1e-9);
    // By hand: own 1 1 0 0 0 1, others 1 .5 .5 0 0 1.
    const others = [
      [1, 1],
      [1, 0],
      [0, 1],
      [0, 0],
      [0, 0],
      [1, 1],
    ];
    const mixed = others.flatMap(([b = 0, c = 0], learner) => [
      answer(learner, "block-a", [0, 1, 5].includes(learner)),
      answer(learner, "block-b", b === 1),
      answer(learner, "block-c", c === 1),
    ]);
    expect(figuresOf(mixed)?.discrimination).to.be.closeTo(0.8165, 1e-4);
  });

  it("have no discrimination where it cannot be computed", () => {
    const alone = learners(6).map((learner) => answer(learner, "block-a", learner < 3));
    expect(figuresOf(alone)?.discrimination, "nobody answered another").to.equal(null);
    const alike = learners(6).flatMap((learner) => [answer(learner, "block-a", true), answer(learner, "block-b", learner < 3)]);
    expect(figuresOf(alike)?.discrimination, "all were right").to.equal(null);
  });
});
