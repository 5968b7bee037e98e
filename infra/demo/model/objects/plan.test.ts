import { expect } from "chai";
import type { Prompt } from "../prompt.ts";
import { makePlan } from "./plan.ts";

describe("a path of the demonstration model", () => {
  const passage = (id: string, title: string, text: string, kind = "prose") => ({
    id,
    title,
    trail: ["Linear Maps", "Eigenvectors"],
    text,
    kind,
  });
  const prompt: Prompt = {
    passages: [
      passage("s1", "Finding eigenvalues", "The equation has a solution exactly when the determinant is zero."),
      passage("s2", "characteristic", "The characteristic equation; it only needs the trace and the determinant.", "math"),
      passage("s3", "A worked example", "Take the matrix whose trace is four."),
    ],
    history: [],
    question: "",
    whole: "",
  };

  it("names steps after sections, not after the labels of formulas within them", () => {
    const steps = makePlan(prompt)?.steps.map(({ title, passages }) => [title, passages]);
    expect(steps).to.deep.equal([
      ["Finding eigenvalues", ["s1", "s2"]],
      ["A worked example", ["s3"]],
    ]);
  });
});
