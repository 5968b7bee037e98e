import { expect } from "chai";
import { terms } from "./terms.ts";

describe("the words a text is known by", () => {
  it("are stems, also of words that every object of JavaScript has", () => {
    expect(terms("Proofs of the constructor")).to.deep.equal(["prove", "constructor"]);
  });
});
