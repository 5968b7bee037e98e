import { expect } from "chai";
import { type Catalogue, wordsIn } from "./words.ts";

const german: Catalogue = {
  "Asks {name} first.": "Fragt zuerst {name}.",
  "{n} questions": { one: "{n} Frage", other: "{n} Fragen" },
  "Open|state": "Offen",
};
const arabic: Catalogue = {
  "{n} questions": { zero: "لا أسئلة", one: "سؤال واحد", two: "سؤالان", few: "{n} أسئلة", many: "{n} سؤالًا", other: "{n} سؤال" },
};

describe("words", () => {
  const english = wordsIn("en", {});

  it("say a message with its values in the language's order, and in English what is not translated", () => {
    expect(english.msg("Asks {name} first.", { name: "P1" })).to.equal("Asks P1 first.");
    expect(wordsIn("de", german).msg("Asks {name} first.", { name: "{n}" })).to.equal("Fragt zuerst {n}.");
    expect(wordsIn("de", german).msg("Stop")).to.equal("Stop");
  });

  it("tell two meanings of one English word apart, and never show which", () => {
    expect(english.msg("Open|state")).to.equal("Open");
    expect(wordsIn("de", german).msg("Open|state")).to.equal("Offen");
  });

  it("count as each language counts", () => {
    const said = (words: typeof english) => [0, 1, 2, 3, 11, 100].map((n) => words.plural(n, "{n} question", "{n} questions"));
    expect(said(english)).to.deep.equal(["0 questions", "1 question", "2 questions", "3 questions", "11 questions", "100 questions"]);
    expect(said(wordsIn("de", german))).to.deep.equal(["0 Fragen", "1 Frage", "2 Fragen", "3 Fragen", "11 Fragen", "100 Fragen"]);
    expect(said(wordsIn("ar", arabic))).to.deep.equal(["لا أسئلة", "سؤال واحد", "سؤالان", "3 أسئلة", "11 سؤالًا", "100 سؤال"]);
  });

  it("write numbers and lists as the language does, in digits that are the same everywhere", () => {
    const said = (["en", "de", "ar"] as const).map((language) => wordsIn(language, {}));
    expect(said.map((words) => words.number(12345.5))).to.deep.equal(["12,345.5", "12.345,5", "12,345.5"]);
    expect(said.map((words) => words.list(["A", "B", "C"]))).to.deep.equal(["A, B and C", "A, B und C", "A وB وC"]);
    expect(wordsIn("de", {}).languageName("en")).to.equal("Englisch");
    expect(wordsIn("de", {}).languageName("not a tag")).to.equal("not a tag");
  });

  it("put what is not text into the message as it is", () => {
    const key = { html: "<kbd>/</kbd>" };
    expect(english.rich("Press {key}.", { key })).to.deep.equal(["Press ", key, "."]);
  });
});
