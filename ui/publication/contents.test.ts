import { expect } from "chai";
import { visibleTitle } from "./contents.ts";

describe("visible titles of a draft", () => {
  it("shows a placeholder for an empty or invisible title", () => {
    expect(["Vectors", " ", "", "\u200B\u00AD"].map(visibleTitle)).to.deep.equal(["Vectors", ...Array(3).fill("Without a title")]);
  });
});
