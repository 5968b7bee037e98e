import { expect } from "chai";
import { extendQuote } from "./extend-quotes.ts";

const text =
  "Reading a text twice makes it stick. But this is wrong: it only feels familiar. Pipes join commands. They are fast.\nDas Lesen reicht aus. Doch das ist ein Irrtum. Es täuscht.";

describe("quotes of whole sentences", () => {
  it("begin and end where sentences do", () => {
    expect(extendQuote("join", text)).to.equal("Pipes join commands.");
    expect(extendQuote("commands. They", text)).to.equal("Pipes join commands. They are fast.");
    expect(extendQuote("Pipes join commands.", text)).to.equal("Pipes join commands.");
  });

  it("go on where the next sentence turns them round", () => {
    expect(extendQuote("makes it stick", text)).to.equal("Reading a text twice makes it stick. But this is wrong: it only feels familiar.");
    expect(extendQuote("Das Lesen reicht aus.", text)).to.equal("Das Lesen reicht aus. Doch das ist ein Irrtum.");
  });

  it("stay as they are where the whole would be too long", () => {
    const long = `It begins here ${"and goes on ".repeat(40)}to the end.`;
    expect(extendQuote("begins here", long)).to.equal("begins here");
  });
});
