import { expect } from "chai";
import { isBracketBlock, isBracketFormula } from "./bracket-formula.ts";

describe("text between escaped brackets", () => {
  it("is a formula with the signs of TeX or of mathematics", () => {
    for (const text of ["a = b", "x^2 \\text{ for all } x", "x", "a + b = c", "sin x = y", "p_i", "v = s / t", "\\frac{force}{mass} = a"])
      expect(isBracketFormula(text), text).to.equal(true);
  });
  it("is prose where words stand side by side, also beside an equals sign", () => {
    for (const text of ["see a = b", "as in Smith = Jones", "Figure 3 = the map", "see the note", "sic"])
      expect(isBracketFormula(text), text).to.equal(false);
  });
  it("is a formula on lines of its own", () => expect(isBracketBlock("\nforce = mass times acceleration\n")).to.equal(true));
});
