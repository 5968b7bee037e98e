import { expect } from "chai";
import fc from "fast-check";
import { containing, excerptAround, matchRanges, searchTerms, searchText } from "./text.ts";

describe("search text", () => {
  it("does not mind case, accents and compatibility forms", () => {
    expect(searchText("Überraschung ﬁnden")).to.equal(searchText("uberraschung finden"));
    expect(searchTerms("  Crème   BRÛLÉE ")).to.deep.equal(["creme", "brulee"]);
  });
  it("looks for signs that mean something to LIKE as themselves", () => {
    expect(containing("100%_!")).to.equal("%100!%!_!!%");
  });
  it("keeps a bounded number of terms", () => {
    expect(searchTerms("a b c d e f g h i j")).to.have.lengthOf(8);
  });

  describe("an excerpt", () => {
    const long = `${"before ".repeat(60)}the Needle itself ${"after ".repeat(60)}`;
    it("shows the place that matched, cut at spaces", () => {
      const excerpt = excerptAround(long, ["needle"]);
      expect(excerpt).to.match(/^…before .*the Needle itself .*after…$/);
      expect(excerpt?.length).to.be.lessThan(170);
    });
    it("is the whole of a short text on one line", () => {
      expect(excerptAround("short\n  needle", ["needle"])).to.equal("short needle");
    });
    it("is nothing when nothing matches", () => {
      expect(excerptAround(long, ["straw"])).to.equal(undefined);
    });
    it("finds the place in the text as written, where folding changes lengths", () => {
      expect(excerptAround(`${"ﬃ ".repeat(300)}needle ${"ﬃ ".repeat(300)}`, ["needle"])).to.include("needle");
    });
    it("never breaks a character, whatever the text", () => {
      fc.assert(
        fc.property(
          fc.string({ unit: "grapheme", maxLength: 400 }),
          fc.string({ unit: "grapheme", minLength: 1, maxLength: 3 }),
          (text, word) => {
            const terms = searchTerms(word);
            const excerpt = terms.length > 0 ? excerptAround(`${text}${word}${text}`, terms) : undefined;
            return excerpt === undefined || excerpt.isWellFormed();
          },
        ),
      );
    });
  });
});

describe("the stretches of a text that a search marks", () => {
  const marked = (text: string, ...terms: string[]) => matchRanges(text, terms).map(([start, end]) => text.slice(start, end));

  it("begin where words begin, as written, and never lie in each other", () => {
    expect(marked("Pipes, Straße and ÉTUDES", "pipe", "strasse", "etu")).to.deep.equal(["Pipe", "ÉTU"]);
    expect(marked("tapes and a type", "ape", "ty")).to.deep.equal(["ty"]);
    expect(marked("pipeline", "pipe", "pipeline")).to.deep.equal(["pipeline"]);
    expect(marked("nothing", "x")).to.deep.equal([]);
  });
});
