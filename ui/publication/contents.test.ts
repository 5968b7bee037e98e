import { expect } from "chai";
import { titleInSight } from "./contents.ts";

describe("the title of a page of a draft", () => {
  it("is said to be missing where nobody would see it", () => {
    expect(["Vectors", " ", "", "\u200B\u00AD"].map(titleInSight)).to.deep.equal(["Vectors", ...Array(3).fill("Without a title")]);
  });
});
