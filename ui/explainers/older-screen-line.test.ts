import { expect } from "chai";
import { olderScreenLine } from "./older-screen-line.ts";

describe("a line of an earlier version's transcript", () => {
  it("is a formula where it holds a command of TeX", () => {
    expect(olderScreenLine("A v = \\lambda v")).to.deep.equal({ as: "formula", text: "A v = \\lambda v", label: "" });
  });
  it("keeps a label after its formula apart", () => {
    expect(olderScreenLine("\\frac{a}{b} (the slope)")).to.deep.equal({ as: "formula", text: "\\frac{a}{b}", label: "the slope" });
  });
  it("stays text where it holds none, also with a backslash of code", () => {
    for (const text of ["What is shown", 'printf "%d\\n"', "C:\\Users\\ada", "x = np.array([1, 2])"])
      expect(olderScreenLine(text), text).to.equal(null);
  });
});
