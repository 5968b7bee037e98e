import { expect } from "chai";
import { writeFence } from "./source.ts";

describe("code as a fenced block", () => {
  it("is not closed by an indented fence in it, as Markdown would close it", () => {
    expect(writeFence("  ````\ncode", "text")).to.equal("`````text\n  ````\ncode\n`````");
  });
});
