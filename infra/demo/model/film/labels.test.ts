import { expect } from "chai";
import { labelsIn } from "./labels.ts";

describe("the labels that are cut out of a sentence", () => {
  it("are none that say nothing by themselves", () => {
    expect(labelsIn("The or-elimination rule is slightly more complicated.")).to.not.include("Slightly more complicated");
    expect(labelsIn("Asserting both amounts to knowing.").join()).to.not.match(/to knowing/);
  });
});
