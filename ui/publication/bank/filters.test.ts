import type { BankQuestion } from "@colloquy/schemas/publication/questions.ts";
import { expect } from "chai";
import { type Filter, filterNames, hasWords, isIn } from "./filters.ts";

const figures = (learners: number, right: number, discrimination: number | null = 0.5) => ({
  figures: { asked: learners, learners, right, discrimination, choices: [] },
});
const filtersOf = (more: Partial<BankQuestion>): Filter[] =>
  (Object.keys(filterNames) as Filter[]).filter((filter) => isIn(filter, { retired: false, figures: null, ...more } as BankQuestion));

describe("the filters of the question bank", () => {
  it("find questions by their figures", () => {
    expect(filtersOf({})).to.deep.equal(["all", "few"]);
    expect(filtersOf(figures(19, 10))).to.deep.equal(["all", "few"]);
    expect(filtersOf(figures(20, 10))).to.deep.equal(["all"]);
    expect(filtersOf(figures(20, 19))).to.deep.equal(["all", "easy"]);
    expect(filtersOf(figures(20, 4))).to.deep.equal(["all", "hard"]);
    expect(filtersOf(figures(20, 10, 0.19))).to.deep.equal(["all", "flat"]);
    expect(filtersOf(figures(20, 10, null))).to.deep.equal(["all"]);
  });

  it("find every word searched for, in whatever text and case", () => {
    const texts = ["What does it print?", undefined, "print(sorted(words))"];
    expect(["", "PRINT what", "sorted wor", "printed", "what reversed"].map((searched) => hasWords(searched, texts))).to.deep.equal([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it("list a retired question only as retired", () => {
    expect(filtersOf({ retired: true, ...figures(20, 20, 0) })).to.deep.equal(["all", "retired"]);
  });
});
