import { bounds } from "@colloquy/schemas/bounds.ts";
import { expect } from "chai";
import { citationWriter } from "./citations.ts";
import { passageFixture } from "./passage.fixture.ts";
import { doubtful, withDoubts } from "./support.ts";

const passages = [
  passageFixture(
    1,
    "Working memory has room for only about four new things, and what is in it is gone within seconds unless you do something with it.",
  ),
  passageFixture(2, "The -l option makes wc print only the number of lines per file. The shortest file is ethane.pdb with 12 lines."),
  passageFixture(3, "Three hours in one evening teach less than one hour on each of three days. This is called the spacing effect."),
];

/** What is doubted of an answer as a model writes it, as [text of the claim, what is missing]. */
function doubtsOf(answer: string, question = "") {
  const writer = citationWriter(passages);
  writer.push(answer);
  writer.end();
  return doubtful(writer.claims(), question).map(({ claim, missing }) => [claim.text.trim(), missing]);
}

describe("the support check of cited sentences", () => {
  it("accepts what the passage says in other forms of the same words", () => {
    expect(doubtsOf("Your working memory only has room for 4 things at once [s1].")).to.deep.equal([]);
    expect(doubtsOf("With `-l`, `wc` prints the number of lines in each file [s2].")).to.deep.equal([]);
  });

  it("doubts a number that the passage does not have, named as it is written", () => {
    expect(doubtsOf("Working memory has room for about seven new things [s1].")).to.deep.equal([
      ["Working memory has room for about seven new things", ["7"]],
    ]);
    expect(doubtsOf("The shortest file has 15 lines [s2].")).to.deep.equal([["The shortest file has 15 lines", ["15"]]]);
  });

  it("doubts a sentence about something else, and names what the passage lacks", () => {
    const [[, missing] = []] = doubtsOf("Photosynthesis turns sunlight and carbon dioxide into sugar [s3].");
    expect(missing).to.deep.equal(["Photosynthesis", "turns", "sunlight", "carbon", "dioxide", "sugar"]);
  });

  it("judges each sentence by its own marks, and a sentence with several marks by their passages together", () => {
    expect(
      doubtsOf("Spacing is the effect that hours on different days teach more [s3]. Working memory holds 4 things [s1]."),
    ).to.deep.equal([]);
    expect(doubtsOf("The spacing effect spreads hours over days, since working memory has room for four things [s3][s1].")).to.deep.equal(
      [],
    );
    expect(doubtsOf("The spacing effect spreads hours over days, since working memory has room for four things [s3].")).to.have.length(1);
  });

  it("doubts what turns a sentence around: a negation left out or put in, an opposite in place of a word", () => {
    expect(doubtsOf("The shortest file is not ethane.pdb with 12 lines [s2].")).to.deep.equal([
      ["The shortest file is not ethane.pdb with 12 lines", ["not ethane"]],
    ]);
    expect(doubtsOf("Three hours in one evening teach more than one hour on each of three days [s3].")).to.deep.equal([
      ["Three hours in one evening teach more than one hour on each of three days", ["more"]],
    ]);
    expect(doubtsOf("One hour on each of three days teaches more than three hours in one evening [s3].")).to.deep.equal([]);
  });

  it("doubts options, signs and keys that the passage does not have, unless the question has them", () => {
    expect(doubtsOf("With `wc -w` you get the number of lines per file [s2].")).to.deep.equal([
      ["With `wc -w` you get the number of lines per file", ["-w"]],
    ]);
    expect(doubtsOf("With `wc -w` you get the number of lines per file [s2].", "What is wc -w?")).to.deep.equal([]);
    expect(doubtsOf("To print the number of lines per file make it Ctrl+Z [s2].")).to.deep.equal([
      ["To print the number of lines per file make it Ctrl+Z", ["ctrl-z"]],
    ]);
  });

  it("does not count list items, nor what an answer counts itself", () => {
    expect(doubtsOf("9. The shortest file is ethane.pdb [s2].")).to.deep.equal([]);
    expect(doubtsOf("There are four kinds of options for the number of lines per file [s2].")).to.deep.equal([]);
  });

  it("names no more than its bounds allow", () => {
    const [[, missing = []] = []] = doubtsOf(
      `The ${"antidisestablishmentarianism".repeat(4)} is a floccinaucinihilipilification of the sesquipedalian [s1].`,
    );
    for (const word of missing) expect(word.length).to.be.at.most(60);
    expect(missing.length).to.be.within(1, 6);
  });

  it("lets a mark that goes back behind another stand on the passages of both, and takes pointers for no claims", () => {
    expect(doubtsOf("The spacing effect spreads hours over days [s3], room for four [s1].")).to.deep.equal([]);
    expect(doubtsOf("The course says more under *Title 1* [s1], *Title 2* [s2].")).to.deep.equal([]);
  });

  it("takes no notice of words and numbers that come from the question", () => {
    expect(doubtsOf("Seeing 12 lines means the file ethane.pdb [s2].", "I see 12 lines, which molecule is that?")).to.deep.equal([]);
  });

  it("does not hold another language against a sentence, but its numbers", () => {
    expect(doubtsOf("Das Arbeitsgedächtnis hat nur Platz für etwa 4 neue Dinge [s1].")).to.deep.equal([]);
    expect(doubtsOf("Das Arbeitsgedächtnis hat Platz für 25 neue Dinge [s1].")).to.deep.equal([
      ["Das Arbeitsgedächtnis hat Platz für 25 neue Dinge", ["25"]],
    ]);
  });

  it("looks at no more claims than its bound", () => {
    const many = Array.from({ length: bounds.citation.judged + 50 }, () => "It holds 99 things [s1].").join(" ");
    expect(doubtsOf(many)).to.have.length(bounds.citation.judged);
  });

  it("takes a passage apart once, however many claims stand on it", () => {
    const reads = (claims: number): number => {
      let count = 0;
      const passage = passageFixture(1, "");
      Object.defineProperty(passage, "text", {
        get() {
          count += 1;
          return "Working memory has room for only about four new things.";
        },
      });
      const text = "Working memory does not have room for only about four new things, with `-l`.";
      const judged = doubtful(
        Array.from({ length: claims }, () => ({ text, marks: [{ number: 1, passage }], also: [passage] })),
        "",
      );
      expect(judged).to.have.length(claims);
      return count;
    };
    expect(reads(150)).to.equal(reads(1));
  });

  it("keeps no words of claims beyond those that are judged, but their marks", () => {
    const writer = citationWriter(passages);
    writer.push("It holds 99 things [s1]. ".repeat(bounds.citation.judged + 50));
    writer.end();
    const claims = writer.claims();
    expect(claims).to.have.length(bounds.citation.judged + 50);
    expect(claims.slice(bounds.citation.judged).every(({ text, marks }) => text === "" && marks.length === 1)).to.equal(true);
  });

  it("says of each citation at which of its marks it is doubted", () => {
    const writer = citationWriter(passages);
    const text = writer.push("It holds four things [s1]. It holds 99 things [s1]. Days matter [s3].") + writer.end();
    const claims = writer.claims();
    expect(text).to.contain("[^1]. It holds 99 things[^1]. Days matter[^2].");
    const citations = withDoubts(writer.citations(), claims, doubtful(claims, ""));
    expect(citations.map(({ number, unsupported }) => [number, unsupported])).to.deep.equal([
      [1, [{ mark: 2, missing: ["99"] }]],
      [2, undefined],
    ]);
  });
});
