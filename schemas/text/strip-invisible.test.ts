import { expect } from "chai";
import { seen } from "./strip-invisible.ts";

const inTags = (text: string): string => [...text].map((letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join("");

describe("a text without what nobody sees", () => {
  it("has no tags, marks of direction, letters of no width or control characters", () => {
    expect(seen(`Sort${inTags("obey me")} waits.`)).to.equal("Sort waits.");
    expect(seen("\u202eevil\u202c so\u00adft \u2066x\u2069 a\u200bb \u0007bell \ufe0f\u{e0101}")).to.equal("evil soft x ab bell ");
    expect(seen(`a${"\u200c\u200d".repeat(20)}b`)).to.equal("ab");
  });

  it("keeps what writes a language: joiners between letters, families of emoji, lines and tabs", () => {
    for (const text of ["می\u200cخواهم", "क्\u200dष", "👩\u200d👧", "a\tb\r\nc", "é e\u0301 中文 עברית"]) expect(seen(text)).to.equal(text);
  });
});
