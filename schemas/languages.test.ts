import { expect } from "chai";
import { acceptedLanguages, languageFor } from "./languages.ts";

describe("the interface's language", () => {
  it("is the first wanted one that is there, whatever its region", () => {
    expect(languageFor(["fr-FR", "de-AT", "en"])).to.equal("de");
    expect(languageFor(["ar-EG", "en"])).to.equal("ar");
    expect(languageFor(["DE"])).to.equal("de");
  });

  it("is English where none is there, or none was named", () => {
    expect(languageFor(["fr", "constructor", ""])).to.equal("en");
    expect(languageFor([])).to.equal("en");
  });

  it("reads what a browser accepts by its weights, and leaves out what it does not want", () => {
    expect(acceptedLanguages("en;q=0.5, de-CH, ar;q=0.9, fr;q=0, *;q=0.1")).to.deep.equal(["de-CH", "ar", "en"]);
    expect(acceptedLanguages(undefined)).to.deep.equal([]);
    expect(acceptedLanguages(";;,q=,de;q=abc")).to.deep.equal(["q="]);
  });
});
