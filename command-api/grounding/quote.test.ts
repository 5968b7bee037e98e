import { bounds } from "@colloquy/schemas/bounds.ts";
import { expect } from "chai";
import { quoteFor, sentenceTracker, splitSentences } from "./quote.ts";

describe("the quote of a citation", () => {
  const passage =
    "The shell starts every program at once.\nThe command `sort` reads all lines first. Only then does it print. See e.g. the manual.";

  it("is the sentence that shares most words with the answer's sentence", () => {
    expect(quoteFor(passage, "Sort must read all the lines before it can print")).to.equal("The command `sort` reads all lines first.");
    expect(quoteFor(passage, "All programs start at once")).to.equal("The shell starts every program at once.");
  });

  it("is a verbatim stretch of the passage, white space folded, within its bound", () => {
    const long = `${"word ".repeat(200)}end.`;
    const quote = quoteFor(long, "word");
    expect(quote.length).to.be.at.most(bounds.citation.quoteLength);
    expect(long.replace(/\s+/g, " ")).to.contain(quote);
    expect(quoteFor("", "anything")).to.equal("");
  });

  it("splits sentences at ends and line breaks, not at abbreviations before small letters", () => {
    expect(splitSentences(passage)).to.deep.equal([
      "The shell starts every program at once.",
      "The command `sort` reads all lines first.",
      "Only then does it print.",
      "See e.g. the manual.",
    ]);
  });
});

describe("the last sentence of a growing text", () => {
  const parts = ["A map", " keeps", ".", "\n", " ", "? ", '"', " (It", " 4", ", ", "e.g. ", "\n\n", "  "];
  it("is the one that splitting the whole text finds", () => {
    let seed = 7;
    const next = (most: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * most);
    };
    for (let round = 0; round < 500; round += 1) {
      const tracker = sentenceTracker();
      let text = "";
      for (let step = 0; step < 30; step += 1) {
        for (let part = next(4); part >= 0; part -= 1) text += parts[next(parts.length)] ?? "";
        const found = text.slice(tracker.begin(text)).replace(/\s+/g, " ").trim();
        expect(found, JSON.stringify(text)).to.equal(splitSentences(text).at(-1) ?? "");
      }
    }
  });
});
