import { expect } from "chai";
import { matchSigns } from "./match-signs.ts";

const matched = (before: string, after: string): (number | null)[] => matchSigns([...before], [...after]);

describe("signs of two formulas", () => {
  it("are paired in their order", () => expect(matched("ax=b", "ax-b=0")).to.deep.equal([0, 1, null, 3, 2, null]));
  it("are paired across the equals sign", () => expect(matched("x+3=y", "x=y-3")).to.deep.equal([0, 3, 4, null, 2]));
  it("are each used once", () => expect(matched("x", "xx")).to.have.members([0, null]));
  it("are new where nothing is alike", () => expect(matched("ab", "cd")).to.deep.equal([null, null]));
});
