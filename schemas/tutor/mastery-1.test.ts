import { expect } from "chai";
import fc from "fast-check";
import { afterAnswer, guessOf, isMastered, masteryParameters1, probabilityOf } from "./mastery-1.ts";
import { type PlainAnswer, reaches, rises, uncertainty } from "./probabilities.ts";

const p = masteryParameters1;

const right = (itemId: string, more: Partial<PlainAnswer> = {}): PlainAnswer => ({
  itemId,
  correct: true,
  aided: false,
  selection: "single",
  choices: 4,
  ...more,
});
const wrong = (itemId: string): PlainAnswer => right(itemId, { correct: false });
const answers = fc.array(
  fc.record({
    itemId: fc.constantFrom("a", "b", "c", "d"),
    correct: fc.boolean(),
    aided: fc.boolean(),
    selection: fc.constantFrom("single" as const, "multiple" as const, "text" as const),
    choices: fc.integer({ min: 2, max: 8 }),
  }),
  { maxLength: 30 },
);

describe("mastery under policy 1", () => {
  it("follows the formulas, reckoned by hand", () => {
    // P = 0.25, G = 1/4, S = 0.1: 0.225 / (0.225 + 0.1875) = 0.545455, and then 0.545455 + 0.454545 * 0.05.
    expect(afterAnswer(0.25, right("a"), p)).to.equal(0.568182);
    // 0.025 / (0.025 + 0.5625) = 0.042553, and then + 0.957447 * 0.05.
    expect(afterAnswer(0.25, wrong("a"), p)).to.equal(0.090426);
  });

  it("takes the guess of a blind learner from the kind of question", () => {
    expect(guessOf({ selection: "single", choices: 4, aided: false }, p)).to.equal(0.25);
    expect(guessOf({ selection: "single", choices: 2, aided: false }, p)).to.equal(0.5);
    expect(guessOf({ selection: "multiple", choices: 4, aided: false }, p)).to.equal(0.15);
    expect(guessOf({ selection: "single", choices: 4, aided: true }, p)).to.equal(0.8);
  });

  it("needs the threshold and two correct unaided answers to different questions, the latest among them", () => {
    const enough = ["a", "b", "c", "d"].map((id) => right(id));
    expect(isMastered(enough, p)).to.equal(true);
    expect(isMastered(enough.slice(0, 2), p)).to.equal(false);
    expect(
      isMastered(
        Array.from({ length: 6 }, () => right("a")),
        p,
      ),
    ).to.equal(false);
    expect(isMastered([...enough, right("e", { aided: true })], p)).to.equal(false);
    expect(isMastered([...enough, wrong("e")], p)).to.equal(false);
    expect(
      isMastered(
        Array.from({ length: 40 }, (_, index) => right(String(index), { aided: true })),
        p,
      ),
    ).to.equal(false);
  });

  it("stays a probability, rises with a right answer and never more with help than without", () => {
    fc.assert(
      fc.property(answers, fc.integer({ min: 2, max: 8 }), (all, choices) => {
        const probability = probabilityOf(all, p);
        expect(probability).to.be.within(0, 1);
        const alone = afterAnswer(probability, right("x", { choices }), p);
        const helped = afterAnswer(probability, right("x", { choices, aided: true }), p);
        expect(alone).to.be.at.least(probability);
        expect(helped).to.be.at.most(alone);
        expect(afterAnswer(probability, wrong("x"), p)).to.be.at.most(helped);
      }),
    );
  });

  it("compares without being misled by the last bits of a number", () => {
    expect(0.1 + 0.2 >= 0.3 && reaches(0.1 + 0.2, 0.3)).to.equal(true);
    expect(reaches(0.95 - 1e-12, 0.95)).to.equal(true);
    expect(reaches(0.949999, 0.95)).to.equal(false);
    expect(rises(0.3, 0.1 + 0.2)).to.equal(false);
  });

  it("is least certain at one half", () => {
    expect([uncertainty(0), uncertainty(0.5), uncertainty(1)]).to.deep.equal([0, 1, 0]);
    expect(uncertainty(0.9)).to.be.lessThan(uncertainty(0.6));
  });
});
