import { expect } from "chai";
import { isBracketBlock, isBracketFormula } from "./bracket-formula.ts";

describe("text between escaped brackets", () => {
  it("is a formula with the signs of TeX or of mathematics", () => {
    for (const text of ["a = b", "x^2 \\text{ for all } x", "a + b = c", "sin x = y", "p_i", "v = s / t", "\\frac{force}{mass} = a"])
      expect(isBracketFormula(text, "["), text).to.equal(true);
  });
  it("is prose where words stand side by side, also beside an equals sign", () => {
    for (const text of ["see a = b", "as in Smith = Jones", "Figure 3 = the map", "see the note", "sic"])
      expect(isBracketFormula(text, "["), text).to.equal(false);
  });
  it("is prose with a place for a word, a setting, a ticked box or a note's number", () => {
    for (const text of [
      "see {name}",
      "{name}",
      "see {n}",
      "cp <file>",
      "key=value",
      "my_key=value",
      "_bool_",
      "_list of str_",
      "x",
      "X",
      "i",
      "^1",
    ])
      expect(isBracketFormula(text, "["), text).to.equal(false);
  });
  it("is prose with Markdown of its own, or a way through a menu", () => {
    for (const text of ["See _this_ long\nnote about it", "see `x^2` here", "see [x](a_b)", "File > Save", "File > Save as > PDF"])
      expect([isBracketFormula(text, "["), isBracketFormula(text, "("), isBracketBlock(text)], text).to.deep.equal([false, false, false]);
    expect(isBracketFormula("\\text{`x'} = [a](b)", "[")).to.equal(true);
  });
  it("is a formula in round brackets with symbols alone, too", () => {
    for (const text of [
      "x",
      "n",
      "5",
      "-1.5",
      "2n",
      "f(x)",
      "dx",
      "A v = \\lambda v",
      "x, y",
      "sin x",
      "F=ma",
      "pV=nRT",
      "y=sin x",
      "\\{x, y\\}",
      "x^{max}",
    ])
      expect(isBracketFormula(text, "("), text).to.equal(true);
  });
  it("is prose in round brackets by the same rule", () => {
    for (const text of [
      "see the note",
      "see below",
      "key=value",
      "see {name}",
      "e.g. x",
      "or so",
      "注",
      "a \\( b",
      "of",
      "an",
      "is",
      "me",
      "i.e. x=1",
    ])
      expect(isBracketFormula(text, "("), text).to.equal(false);
  });
  it("is a formula on lines of its own", () => expect(isBracketBlock("\nforce = mass times acceleration\n")).to.equal(true));
});
