import { expect } from "chai";
import { plainPieces } from "./plain-text.ts";

describe("the words of a Markdown text", () => {
  it("hold escaped brackets around prose as brackets, and around formulas as TeX", () => {
    const [piece] = plainPieces("a \\(see the note\\), \\[key=value\\] and \\(n\\)");
    expect(piece?.text).to.equal("a (see the note), [key=value] and \\(n\\)");
  });
});
