import { slugFrom } from "@colloquy/schemas/courses/slugs.ts";
import { expect } from "chai";
import { gitHubId, mdBookId, pandocId, plainAnchor } from "./slugs.ts";

describe("ids of headings and slugs of pages", () => {
  it("follow the generators the links were written for", () => {
    const title = "3. What's `new` in v1.2 -- Ünicode_x?";
    expect(pandocId(title)).to.equal("whats-new-in-v1.2----ünicode_x");
    expect(mdBookId(title)).to.equal("3-whats-new-in-v12----ünicode_x");
    expect(gitHubId("Well-Founded Recursion")).to.equal("well-founded-recursion");
    expect(pandocId("123")).to.equal("section");
  });

  it("become anchors our own sources take, and segments of addresses", () => {
    expect(["windows", "fig:one", "3-new", "übung_1", "日本"].map(plainAnchor)).to.deep.equal([
      "windows",
      "fig:one",
      "at-3-new",
      "ubung_1",
      "at--",
    ]);
    expect(["02-filedir", "dependent_type_theory", "Für Lernende!", "Größe & Maß", "日本", "x".repeat(99)].map(slugFrom)).to.deep.equal([
      "02-filedir",
      "dependent-type-theory",
      "fur-lernende",
      "grosse-mass",
      "page",
      "x".repeat(60),
    ]);
  });
});
