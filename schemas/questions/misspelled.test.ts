import { expect } from "chai";
import { parseQuestion } from "../courses/parsers/question.ts";
import type { MechanicalQuestion } from "./mark.ts";
import { isMisspelled, wordsIn } from "./misspelled.ts";

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

  it("is no other word of the course", () => {
    const course = wordsIn("Afferent nerves lead to the brain, efferent ones away from it: a null space has null spaces.");
    const isNearly = (accepted: string, text: string) => isMisspelled(key("text", `Which name?\n= ${accepted}`), { text }, course);
    expect([isNearly("efferent", "afferent"), isNearly("null space", "null spaces")]).to.deep.equal([false, false]);
    expect([isNearly("efferent", "eferent"), isNearly("afferent", "aferent")]).to.deep.equal([true, true]);
    const gap = key("gap", "[[efferent]] nerves.");
    expect(isMisspelled(gap, { texts: ["afferent"] }, course)).to.equal(false);
  });

  it("is one where the course has only the accepted words", () => {
    const two = key("text", "Which name?\n= column matrix\n= columns matrices");
    expect(isMisspelled(two, { text: "columns matrix" }, wordsIn("columns matrices"))).to.equal(true);
  });

  it("is none in code", () => {
    const code = key("gap", "`[[sort --reverse]] names.txt` puts [[lines]] in order");
    expect(isMisspelled(code, { texts: ["sort --revers", "lines"] })).to.equal(false);
    expect(isMisspelled(code, { texts: ["sort --reverse", "lnies"] })).to.equal(true);
  });
});
