import { bounds } from "@colloquy/schemas/bounds.ts";
import { expect } from "chai";
import { languageOf, queryTerms, termsOf } from "./tokens.ts";

const english = languageOf("en-GB");
const german = languageOf("de");

describe("the terms of a text", () => {
  const cases: [string, string[]][] = [
    ["Loops repeat commands", ["loop", "repeat", "command"]],
    ["ls -l | wc -l", ["ls", "-l", "|", "wc", "-l"]],
    ["sort --reverse file.txt >> out", ["sort", "--reverse", "file.txt", "file", "txt", ">>", "out"]],
    ["And.intro proves p ∧ q", ["and.intro", "and", "intro", "prove", "p", "∧", "q"]],
    ["the `|` sign, and `>`.", ["the", "|", "sign", "and", ">"]],
    ["Is it? Yes! a/b 50%", ["is", "it", "ye", "a", "b", "50"]],
    ["read-only access", ["read-only", "read", "onli", "access"]],
    ["the learner’s x_1 and $x_1$", ["the", "learner's", "learner", "x_1", "and", "x_1"]],
    ["cd .. and * or ~", ["cd", "..", "and", "*", "or", "~"]],
    ["Straße größer", ["straße", "größer"]],
  ];
  for (const [text, wanted] of cases)
    it(`${JSON.stringify(text)}`, () => {
      expect(termsOf(text, english)).to.deep.equal(wanted);
    });

  it("are not stemmed in a language without a stemmer", () => {
    expect(termsOf("Schleifen wiederholen", german)).to.deep.equal(["schleifen", "wiederholen"]);
  });

  it("are found in one pass for any text", () => {
    for (const unit of ["a.", "-", "--", "|", "a-", "∧", "'", "`", "a:b-", "_"])
      termsOf(unit.repeat(bounds.course.blockLength / 2), english);
  });
});

describe("the terms of a question", () => {
  it("leave out stop words", () => {
    expect(queryTerms("What is the difference between loops and pipes?", english)).to.deep.equal(["loop", "pipe"]);
  });

  it("keep stop words that are code, or if nothing else is left", () => {
    expect(queryTerms("what does `for` do", english)).to.deep.equal(["for"]);
    expect(queryTerms("what is it for", english)).to.have.length.greaterThan(0);
  });

  it("are bounded for a long question", () => {
    const pasted = Array.from({ length: 5_000 }, (_, index) => `word${index}`).join(" ");
    expect(queryTerms(pasted, english).length).to.be.at.most(64);
  });
});
