import { expect } from "chai";
import { asShown, differenceOf, withShown } from "./exact-source.ts";

describe("a source that is edited in a field", () => {
  it("is what the field shows where its lines end as a field's do", () => {
    expect(withShown("one\ntwo", "one\ntwo!")).to.equal("one\ntwo!");
  });

  it("keeps every byte that was not touched, whatever its lines end with", () => {
    const source = "one\r\ntwo\rthree\nfour\r\n";
    expect(asShown(source)).to.equal("one\ntwo\nthree\nfour\n");
    expect(withShown(source, asShown(source))).to.equal(source);
    expect(withShown(source, "one\ntwo and more\nthree\nfour\n")).to.equal("one\r\ntwo and more\rthree\nfour\r\n");
    expect(withShown(source, "one\ntwo\nthree\nfour\n\nfive")).to.equal("one\r\ntwo\rthree\nfour\r\n\r\nfive");
    expect(withShown(source, "one\nfour\n")).to.equal("one\r\nfour\r\n");
    expect(withShown(source, "")).to.equal("");
  });

  it("differs in one place", () => {
    expect(differenceOf("abcabc", "abcXabc")).to.deep.equal({ start: 3, end: 3, text: "X" });
    expect(differenceOf("aaa", "aa")).to.deep.equal({ start: 2, end: 3, text: "" });
    expect(differenceOf("same", "same")).to.deep.equal({ start: 4, end: 4, text: "" });
  });
});
