import type { Finding } from "@colloquy/schemas/explainers/review.ts";
import { expect } from "chai";
import { rated } from "./severity.ts";

const found = (problem: Finding["problem"], by: Finding["by"]): Finding => ({ sceneId: null, problem, detail: problem, by });
const severitiesOf = (findings: Finding[], refused: boolean) =>
  rated(findings, refused).map(({ problem, severity }) => [problem, severity]);

describe("the severity of findings", () => {
  it("is warning for claims and remark for style once the storyboard passed", () => {
    const findings = [found("level", "model"), found("unsupported", "application"), found("order", "model")];
    expect(severitiesOf(findings, false)).to.deep.equal([
      ["unsupported", "warning"],
      ["order", "warning"],
      ["level", "remark"],
    ]);
  });

  it("is error for what the application refused", () => {
    expect(severitiesOf([found("misquoted", "application")], true)).to.deep.equal([["misquoted", "error"]]);
  });

  it("is error for what the review refused, before what comparing words found", () => {
    expect(severitiesOf([found("unsupported", "application"), found("level", "model")], true)).to.deep.equal([
      ["level", "error"],
      ["unsupported", "warning"],
    ]);
  });

  it("is error for a picture that shows something else, also where that passed once", () => {
    expect(severitiesOf([found("picture", "model")], false)).to.deep.equal([["picture", "error"]]);
  });
});
