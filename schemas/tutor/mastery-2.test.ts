import { expect } from "chai";
import fc from "fast-check";
import { defaultEvidence, dueAt, type GradedAnswer, masteryOf, policies } from "./mastery.ts";

const p = policies[2];

const day = (count: number): string => new Date(Date.UTC(2026, 0, 1 + count, 9)).toISOString();
const right = (itemId: string, more: Partial<GradedAnswer> = {}): GradedAnswer => ({
  itemId,
  correct: true,
  aided: false,
  selection: "single",
  choices: 4,
  at: day(0),
  ...more,
});
const wrong = (itemId: string, more: Partial<GradedAnswer> = {}): GradedAnswer => right(itemId, { correct: false, ...more });
const own = { selection: "text" as const, choices: 0 };
const enough = [right("a"), right("b", own), right("c"), right("d", own), right("e")];
const standing = (...answers: GradedAnswer[]) => masteryOf(answers, p).standing;
const probability = (...answers: GradedAnswer[]) => masteryOf(answers, p).probability;

describe("mastery under policy 2", () => {
  it("follows the formulas, computed by hand", () => {
    // P = 0.5, G = 1 / (4 - 1.5) = 0.4, S = 0.08: 0.46 / (0.46 + 0.2) = 0.696970, then + 0.303030 * 0.01.
    expect(probability(right("a"))).to.equal(0.7);
    // 0.04 / (0.04 + 0.3) = 0.117647, then + 0.882353 * 0.01.
    expect(probability(wrong("a"))).to.equal(0.126471);
    const item = { evidence: { kind: "application" as const, guess: 0.1, slip: 0.2, counts: true } };
    // The item's own G and S: 0.4 / (0.4 + 0.05) = 0.888889, then + 0.111111 * 0.01.
    expect(probability(right("a", item))).to.equal(0.89);
  });

  it("needs two kinds of evidence, one of them recall or above", () => {
    expect(standing(...enough)).to.equal("provisional");
    expect(standing(...["a", "b", "c", "d", "e", "f", "g", "h"].map((id) => right(id)))).to.equal("none");
    expect(standing(...["a", "b", "c", "d", "e", "f", "g", "h"].map((id) => right(id, own)))).to.equal("none");
  });

  it("moves nothing for right answers with help, to the same question or to a statement that was shown", () => {
    const before = probability(right("a", { statements: ["s1"] }));
    const after = (answer: GradedAnswer) => probability(right("a", { statements: ["s1"] }), answer);
    expect(after(right("b", { aided: true }))).to.equal(before);
    expect(after(right("a"))).to.equal(before);
    expect(after(right("b", { statements: ["s2", "s1"] }))).to.equal(before);
    expect(after(right("b", { statements: ["s2"] }))).to.be.greaterThan(before);
    expect(after(wrong("b", { aided: true }))).to.be.lessThan(before);
  });

  it("moves nothing for practice questions, right or wrong", () => {
    const practice = { evidence: { ...defaultEvidence({ selection: "single", choices: 4 }, p), counts: false } };
    expect(standing(...enough, wrong("x", practice))).to.equal("provisional");
    expect(probability(right("x", practice))).to.equal(p.learned);
  });

  it("is confirmed by an unaided answer at least a day later, and not before", () => {
    const later = (hours: number, more: Partial<GradedAnswer> = {}) =>
      right("z", { at: new Date(Date.parse(day(0)) + hours * 3_600_000).toISOString(), ...more });
    expect(standing(...enough, later(23))).to.equal("provisional");
    expect(standing(...enough, later(24))).to.equal("confirmed");
    expect(standing(...enough, later(24, { aided: true }))).to.equal("provisional");
    expect(
      standing(...enough, later(24, { choices: 3, evidence: { kind: "recognition", guess: 0.67, slip: 0.08, counts: true } })),
    ).to.equal("provisional");
    expect(standing(...enough, later(24, { correct: false }))).to.equal("none");
  });

  it("says from when on it can be confirmed", () => {
    expect(dueAt(masteryOf(enough, p), p)).to.equal(day(1));
    expect(dueAt(masteryOf(enough.slice(0, 2), p), p)).to.equal(null);
    expect(dueAt(masteryOf([...enough, right("z", { at: day(2) })], p), p)).to.equal(null);
  });

  it("stays a probability and never falls with a right answer nor rises with a wrong one above its floor", () => {
    const answers = fc.array(
      fc.record({
        itemId: fc.stringMatching(/^[a-f]$/),
        correct: fc.boolean(),
        aided: fc.boolean(),
        selection: fc.constantFrom("single" as const, "multiple" as const, "text" as const),
        choices: fc.integer({ min: 2, max: 8 }),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(answers, (all) => {
        const before = probability(...all);
        expect(before).to.be.within(p.floor, 1);
        expect(probability(...all, right("x"))).to.be.at.least(before);
        expect(probability(...all, wrong("x"))).to.be.at.most(before + p.transit);
      }),
    );
  });
});
