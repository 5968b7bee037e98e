import { de } from "@colloquy/messages/de.ts";
import { en } from "@colloquy/messages/en.ts";
import { languageNames } from "@colloquy/schemas/languages.ts";
import { courseSaysNoMore, nothingAsked } from "@colloquy/schemas/tutor/words.ts";
import { expect } from "chai";
import { marksAlone, references } from "./apart.ts";
import { literalsOf } from "./literals.ts";
import { faultsOf, parsed, shown, sources, tooEarly, unused } from "./messages.ts";

const files = sources(["ui", "query-api"]);

describe("messages", () => {
  it("are each named by a source", () => {
    expect(unused()).to.deep.equal([]);
  });

  for (const language of languageNames)
    it(`are whole in ${language}, with their placeholders and plural forms`, () => {
      expect(faultsOf(language)).to.deep.equal([]);
    });

  it("say the same in English as the reply that is stored", () => {
    expect([en["tutor.courseSaysNoMore"], en["tutor.nothingAsked"]]).to.deep.equal([courseSaysNoMore, nothingAsked]);
  });

  it("address the reader formally in German", () => {
    const texts = Object.values(de).flatMap((message) => (typeof message === "string" ? message : Object.values(message)));
    expect(texts.filter((text) => /(?<!\p{L})(?:du|dich|dir|dein(?:e[mnrs]?)?)(?!\p{L})/iu.test(text))).to.deep.equal([]);
  });

  it("are translated when they are shown, not when a module loads", () => {
    expect(files.flatMap((file) => tooEarly(parsed(file))).map(shown)).to.deep.equal([]);
  });

  it("hold every text of templates, labels and announcements", () => {
    const loose = files.filter((file) => !marksAlone.has(file) && !references.has(file)).flatMap((file) => literalsOf(parsed(file)));
    expect(loose.map(shown)).to.deep.equal([]);
  });
});
