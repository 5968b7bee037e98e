import { expect } from "chai";
import type { Question } from "../courses/blocks.ts";
import { type EvidenceKind, evidenceKinds, type ItemEvidence } from "./evidence.ts";
import { authoredEvidence, canBringMastery, defaultEvidence, type GradedAnswer, masteryOf, masteryParameters as p } from "./mastery.ts";

const right = (itemId: string, more: Partial<GradedAnswer> = {}): GradedAnswer => ({
  itemId,
  correct: true,
  aided: false,
  selection: "single",
  choices: 4,
  at: "2026-01-01T09:00:00.000Z",
  ...more,
});
const own = { selection: "text" as const, choices: 0 };
const times = (count: number): string[] => Array.from({ length: count }, (_, index) => `${index}`);

/** An authored question of a form with so many choices or things to put in their places. */
function question(kind: Question["kind"], level: Question["level"], count: number): Question {
  const common = { level, about: [], place: "bank" as const, markdown: "So?", hints: [] };
  switch (kind) {
    case "single":
    case "multiple":
      return { ...common, kind, choices: times(count).map((markdown) => ({ markdown, correct: markdown === "0" })) };
    case "order":
      return { ...common, kind, items: times(count) };
    case "match":
      return { ...common, kind, pairs: times(count).map((left) => ({ left, right: left })), extra: [] };
    case "gap":
      return { ...common, kind, gaps: times(count).map((one) => [one]) };
    case "text":
      return { ...common, kind, accepted: ["So"] };
    case "number":
      return { ...common, kind, value: 1, tolerance: 0 };
    case "free":
      return { ...common, kind, rubric: ["It says so."], answer: "So." };
  }
}
const authored = (kind: Question["kind"], level: Question["level"], count = 4): ItemEvidence =>
  authoredEvidence(question(kind, level, count), p);

const counts = [2, 3, 4, 5, 6, 7, 8];
const everyEvidence: readonly ItemEvidence[] = counts.flatMap((count) => [
  ...(["single", "multiple", "text", "number", "gap", "order", "match"] as const).map((selection) =>
    defaultEvidence({ selection, choices: count }, p),
  ),
  ...(["single", "multiple", "text", "number", "gap", "order", "match", "free"] as const).flatMap((kind) => [
    authored(kind, "recall", count),
    authored(kind, "application", count),
  ]),
]);
const weightsOf = (kind: EvidenceKind): number[] =>
  everyEvidence.filter((one) => one.kind === kind).map(({ guess, slip }) => (1 - slip) / guess);

describe("mastery under policy 3", () => {
  for (const [index, kind] of evidenceKinds.slice(1).entries()) {
    const weaker = evidenceKinds[index] ?? "recognition";
    it(`weighs every right answer of ${kind} more than any of ${weaker}`, () => {
      expect(Math.min(...weightsOf(kind))).to.be.greaterThan(Math.max(...weightsOf(weaker)));
    });
    it(`moves the probability more by a right answer of ${kind} than of ${weaker}`, () => {
      const moved = (of: EvidenceKind): number[] =>
        everyEvidence.filter((one) => one.kind === of).map((evidence) => masteryOf([right("a", { evidence })], p).probability);
      expect(Math.min(...moved(kind))).to.be.greaterThan(Math.max(...moved(weaker)));
    });
  }

  it("can be brought by four questions, if they are of two kinds", () => {
    const recall = question("text", "recall", 4);
    const choice = question("single", "recall", 4);
    const enough = (...questions: Question[]): boolean => canBringMastery(questions, p);
    expect(enough(recall, recall, recall, choice)).to.equal(true);
    expect(enough(recall, recall, choice)).to.equal(false);
    expect(enough(recall, recall, recall, recall, recall)).to.equal(false);
  });

  it("follows the formulas, computed by hand", () => {
    // P = 0.5, G = 0.44, S = 0.08: 0.46 / (0.46 + 0.22) = 0.676471, then + 0.323529 * 0.01.
    expect(masteryOf([right("a")], p).probability).to.equal(0.679706);
    // 0.04 / (0.04 + 0.28) = 0.125, then + 0.875 * 0.01.
    expect(masteryOf([right("a", { correct: false })], p).probability).to.equal(0.13375);
  });

  it("takes no choice question for harder to guess because it has more choices", () => {
    for (const choices of counts) expect(defaultEvidence({ selection: "single", choices }, p).guess).to.be.at.least(p.guess.recognition);
  });

  it("counts as recognition what its form gives away, also at the level of application", () => {
    for (const level of ["recall", "application"] as const) {
      expect(authored("order", level, 2)).to.include({ kind: "recognition", guess: 0.5 });
      expect(authored("match", level, 2)).to.include({ kind: "recognition", guess: 0.5 });
      expect(authored("single", level, 3)).to.include({ kind: "recognition", guess: 0.666667 });
    }
    expect(authored("order", "recall", 3).kind).to.equal("recall");
    expect(authored("single", "application", 4).kind).to.equal("application");
    expect(authored("multiple", "application", 4).kind).to.equal("application");
  });

  it("is confirmed a day later by a question of any kind, but not by a choice of three", () => {
    const enough = [right("a"), right("b", own), right("c"), right("d", own), right("e")];
    const confirmedBy = (evidence: ItemEvidence): boolean =>
      masteryOf([...enough, right("z", { evidence, at: "2026-01-02T09:00:00.000Z" })], p).standing === "confirmed";
    for (const kind of ["single", "multiple", "number", "order", "free"] as const)
      expect(confirmedBy(authored(kind, "recall"))).to.equal(true);
    expect(confirmedBy(authored("order", "recall", 2))).to.equal(true);
    expect(confirmedBy(authored("single", "recall", 3))).to.equal(false);
  });
});
