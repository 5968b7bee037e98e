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

  for (const [tag, one, other] of [
    ["de", "Verzeichnisse kopieren", "Verzeichnis kopiere"],
    ["es-MX", "borrar archivos", "borrando archivo"],
    ["fr", "effacer les fichiers", "effacez les fichier"],
    ["ar", "الملفات", "ملف"],
  ] as const)
    it(`are stems in ${tag}`, () => {
      expect(termsOf(one, languageOf(tag))).to.deep.equal(termsOf(other, languageOf(tag)));
    });

  it("are not stemmed in a language without a stemmer", () => {
    expect(termsOf("Taulak ezabatzen", languageOf("eu"))).to.deep.equal(["taulak", "ezabatzen"]);
    expect(termsOf("Taulak ezabatzen", languageOf("constructor"))).to.deep.equal(["taulak", "ezabatzen"]);
  });

  it("are no stems of what is too long for a word", () => {
    const long = "rennen".repeat(20);
    expect(termsOf(long, german)).to.deep.equal([long]);
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

  it("leave out only the shortest of the long lists of other languages, of which the rest counts less", () => {
    const spanish = languageOf("es");
    expect(queryTerms("¿Y en qué estado se ve el archivo?", spanish)).to.deep.equal(["que", "estad", "ve", "archiv"]);
    expect(spanish.weakWords.has("estad")).to.equal(true);
  });

  it("are bounded for a long question", () => {
    const pasted = Array.from({ length: 5_000 }, (_, index) => `word${index}`).join(" ");
    expect(queryTerms(pasted, english).length).to.be.at.most(64);
  });
});
