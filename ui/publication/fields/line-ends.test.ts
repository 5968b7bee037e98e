import { expect } from "chai";
import { fieldText, sourceFromField, textDifference } from "./line-ends.ts";

describe("line ends of a source", () => {
  it("keeps a source with textarea line ends", () => {
    expect(sourceFromField("one\ntwo", "one\ntwo!")).to.equal("one\ntwo!");
  });

  it("keeps untouched bytes with any line ends", () => {
    const source = "one\r\ntwo\rthree\nfour\r\n";
    expect(fieldText(source)).to.equal("one\ntwo\nthree\nfour\n");
    expect(sourceFromField(source, fieldText(source))).to.equal(source);
    expect(sourceFromField(source, "one\ntwo and more\nthree\nfour\n")).to.equal("one\r\ntwo and more\rthree\nfour\r\n");
    expect(sourceFromField(source, "one\ntwo\nthree\nfour\n\nfive")).to.equal("one\r\ntwo\rthree\nfour\r\n\r\nfive");
    expect(sourceFromField(source, "one\nfour\n")).to.equal("one\r\nfour\r\n");
    expect(sourceFromField(source, "")).to.equal("");
  });

  it("finds the changed range", () => {
    expect(textDifference("abcabc", "abcXabc")).to.deep.equal({ start: 3, end: 3, text: "X" });
    expect(textDifference("aaa", "aa")).to.deep.equal({ start: 2, end: 3, text: "" });
    expect(textDifference("same", "same")).to.deep.equal({ start: 4, end: 4, text: "" });
  });
});
