import { expect } from "chai";
import { parseQuestion } from "../courses/parsers/question.ts";
import type { MechanicalQuestion } from "./mark.ts";
import { isMisspelled } from "./misspelled.ts";

function key(kind: string, body: string): MechanicalQuestion {
  const result = parseQuestion(`---\nkind: ${kind}\n---\n${body}\n\n::: explanation\nSo.\n:::`);
  if (!result.ok || result.data.kind === "free") throw new Error(JSON.stringify(result));
  return result.data;
}

describe("a typed answer that only misses by its spelling", () => {
  const words = key("text", "Which name?\n= basis\n= null space\n= cat\n= three");
  for (const [text, why] of [
    ["bases", "one letter is another"],
    ["basi", "one letter is missing"],
    ["The basiis.", "one letter is too many"],
    ["absis", "two neighbours are swapped"],
    ["null spcae", "one word of two is misspelled"],
  ])
    it(`is “${text}”, where ${why}`, () => expect(isMisspelled(words, { text: text ?? "" })).to.equal(true));

  for (const [text, why] of [
    ["Basis", "it is right"],
    ["basal", "two letters are others"],
    ["cart", "the word is too short to be another by a slip"],
    ["nul space", "the misspelled word is short"],
    ["there", "the word names a number"],
    ["vector", "it is another word"],
    ["my bases", "more is wrong than the spelling"],
  ])
    it(`is not “${text}”, because ${why}`, () => expect(isMisspelled(words, { text: text ?? "" })).to.equal(false));

  it("is no word that the question names", () => {
    expect(isMisspelled(key("text", "Affect or effect?\n= effect"), { text: "affect" })).to.equal(false);
  });

  it("is no number", () => {
    expect(isMisspelled(key("number", "Q\n= 12345"), { text: "12346" })).to.equal(false);
    expect(isMisspelled(key("text", "Q\n= item12"), { text: "item13" })).to.equal(false);
  });

  it("is one with gaps where every wrong gap is", () => {
    const gaps = key("gap", "A [[column]] of a [[matrix]].");
    const isNearly = (...texts: string[]) => isMisspelled(gaps, { texts });
    expect([isNearly("colum", "matrix"), isNearly("colum", "matrx")]).to.deep.equal([true, true]);
    expect([isNearly("colum", "vector"), isNearly("column", "matrix"), isNearly("colum", "")]).to.deep.equal([false, false, false]);
  });

  it("is no answer of another gap", () => {
    const gaps = key("gap", "[[matrix]], then [[matrox]].");
    expect(isMisspelled(gaps, { texts: ["matrox", "matrox"] })).to.equal(false);
  });

  it("has its case and its signs in code", () => {
    const code = key("gap", "`[[sort --reverse]] names.txt`");
    const isNearly = (text: string) => isMisspelled(code, { texts: [text] });
    expect(isNearly("sort --revers")).to.equal(true);
    for (const other of ["sort -reverse", "sort --Reverse", "sort --reverse.", "sort --recurse"])
      expect(isNearly(other), other).to.equal(false);
  });
});
