import { expect } from "chai";
import { wholeQuote } from "./whole-quotes.ts";

const text =
  "Reading a text twice makes it stick. But this is wrong: it only feels familiar. Pipes join commands. They are fast.\nDas Lesen reicht aus. Doch das ist ein Irrtum. Es täuscht.";

describe("quotes of whole sentences", () => {
  it("begin and end where sentences do", () => {
    expect(wholeQuote("join", text)).to.equal("Pipes join commands.");
    expect(wholeQuote("commands. They", text)).to.equal("Pipes join commands. They are fast.");
    expect(wholeQuote("Pipes join commands.", text)).to.equal("Pipes join commands.");
  });

  it("go on where the next sentence turns them round", () => {
    expect(wholeQuote("makes it stick", text)).to.equal("Reading a text twice makes it stick. But this is wrong: it only feels familiar.");
    expect(wholeQuote("Das Lesen reicht aus.", text)).to.equal("Das Lesen reicht aus. Doch das ist ein Irrtum.");
  });

  it("stay as they are where the whole would be too long", () => {
    const long = `It begins here ${"and goes on ".repeat(40)}to the end.`;
    expect(wholeQuote("begins here", long)).to.equal("begins here");
  });
});
