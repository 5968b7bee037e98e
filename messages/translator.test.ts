import { expect } from "chai";
import { createTranslator, type Messages } from "./translator.ts";
import { translatorFor } from "./translators.ts";

const messages: Partial<Messages> = {
  "page.topics": { one: "{n} Seite", other: "{n} Seiten" },
  "rendering.hint": "Tipp {number}!",
};

describe("a translator", () => {
  const english = translatorFor("en");
  const german = createTranslator("de", messages);

  it("fills in values as they are, and numbers as the language writes them", () => {
    expect(german.msg("rendering.hint", { number: "{n}" })).to.equal("Tipp {n}!");
    expect(german.msg("rendering.hint", { number: 1234.5 })).to.equal("Tipp 1.234,5!");
  });

  it("shows a missing message in English", () => {
    expect(german.msg("common.courses")).to.equal(english.msg("common.courses"));
  });

  it("counts as each language counts", () => {
    const counted = (one: typeof english) => [0, 1, 2, 3, 11, 100].map((n) => one.msg("page.topics", { n }));
    expect(counted(english)).to.deep.equal(["0 topics", "1 topic", "2 topics", "3 topics", "11 topics", "100 topics"]);
    expect(counted(german)).to.deep.equal(["0 Seiten", "1 Seite", "2 Seiten", "3 Seiten", "11 Seiten", "100 Seiten"]);
    expect(new Set(counted(translatorFor("ar"))).size).to.equal(6);
  });

  it("counts a missing message by the rules of English", () => {
    expect(createTranslator("ar", {}).msg("page.topics", { n: 2 })).to.equal("2 topics");
  });

  it("translates a text that a service sent in English, and leaves an unknown one", () => {
    expect(translatorFor("de").fromEnglish(english.msg("common.courses"))).to.equal(translatorFor("de").msg("common.courses"));
    expect(german.fromEnglish("No message of ours")).to.equal("No message of ours");
  });

  it("writes numbers and lists as the language does, in Latin digits everywhere", () => {
    const all = (["en", "de", "ar"] as const).map((language) => translatorFor(language));
    expect(all.map((one) => one.number(12345.5))).to.deep.equal(["12,345.5", "12.345,5", "12,345.5"]);
    expect(all.map((one) => one.list(["A", "B", "C"]))).to.deep.equal(["A, B and C", "A, B und C", "A وB وC"]);
    expect(german.languageName("en")).to.equal("Englisch");
    expect(german.languageName("not a tag")).to.equal("not a tag");
  });

  it("puts what is not text into a message as it is", () => {
    const number = { html: "<b>1</b>" };
    expect(german.rich("rendering.hint", { number })).to.deep.equal(["Tipp ", number, "!"]);
  });
});
