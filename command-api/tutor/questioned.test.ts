import type { Question } from "@colloquy/schemas/courses/blocks.ts";
import { expect } from "chai";
import { isTypedOff } from "./questioned.ts";

describe("a question whose answer is typed", () => {
  const common = { level: "recall" as const, about: [], place: "bank" as const, hints: [], markdown: "" };
  const text = (...accepted: string[]): Question => ({ ...common, kind: "text", accepted });
  const name = "Describe the testing effect and what it means for studying.";

  it("has it beside it where the objective's name says it", () => {
    expect(isTypedOff(text("the effect of tests", "Testing effect"), name)).to.equal(true);
    expect(isTypedOff(text("testing", "means of study"), name)).to.equal(true);
    expect(isTypedOff(text("the effect of tests", "study"), name)).to.equal(false);
  });

  it("has not where a number or a little word of the name is the answer", () => {
    const gap: Question = { ...common, kind: "gap", gaps: [["2"]] };
    expect(isTypedOff(gap, "Find the eigenvalues of a 2 by 2 matrix.")).to.equal(false);
  });

  it("has not, as long as one gap of it is to be filled from memory", () => {
    const gaps = (...all: string[][]): Question => ({ ...common, kind: "gap", gaps: all });
    expect(isTypedOff(gaps(["testing"], ["effect", "result"]), name)).to.equal(true);
    expect(isTypedOff(gaps(["testing"], ["memory"]), name)).to.equal(false);
  });
});
