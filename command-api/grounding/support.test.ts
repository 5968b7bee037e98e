import { bounds } from "@colloquy/schemas/bounds.ts";
import { expect } from "chai";
import { citationWriter } from "./citations.ts";
import { passageFixture } from "./passage.fixture.ts";
import { markUnsupported, unsupportedByWords } from "./support.ts";

const passages = [
  passageFixture(
    1,
    "Working memory has room for only about four new things, and what is in it is gone within seconds unless you do something with it.",
  ),
  passageFixture(2, "The -l option makes wc print only the number of lines per file. The shortest file is ethane.pdb with 12 lines."),
  passageFixture(3, "Three hours in one evening teach less than one hour on each of three days. This is called the spacing effect."),
];

/** The unsupported claims of an answer with markers, as [claim, missing words]. */
function unsupportedIn(answer: string, question = "") {
  const writer = citationWriter(passages);
  writer.push(answer);
  writer.end();
  return unsupportedByWords(writer.claims(), question).map(({ claim, missing }) => [claim.text.trim(), missing]);
}

describe("the support check of cited sentences", () => {
  it("accepts other forms of the passage's words", () => {
    expect(unsupportedIn("Your working memory only has room for 4 things at once [s1].")).to.deep.equal([]);
    expect(unsupportedIn("With `-l`, `wc` prints the number of lines in each file [s2].")).to.deep.equal([]);
  });

  it("finds a number that the passage lacks, as it is written", () => {
    expect(unsupportedIn("Working memory has room for about seven new things [s1].")).to.deep.equal([
      ["Working memory has room for about seven new things", ["7"]],
    ]);
    expect(unsupportedIn("The shortest file has 15 lines [s2].")).to.deep.equal([["The shortest file has 15 lines", ["15"]]]);
  });

  it("finds a sentence about something else and names what the passage lacks", () => {
    const [[, missing] = []] = unsupportedIn("Photosynthesis turns sunlight and carbon dioxide into sugar [s3].");
    expect(missing).to.deep.equal(["Photosynthesis", "turns", "sunlight", "carbon", "dioxide", "sugar"]);
  });

  it("judges each sentence by all passages of its own marks", () => {
    expect(
      unsupportedIn("Spacing is the effect that hours on different days teach more [s3]. Working memory holds 4 things [s1]."),
    ).to.deep.equal([]);
    expect(
      unsupportedIn("The spacing effect spreads hours over days, since working memory has room for four things [s3][s1]."),
    ).to.deep.equal([]);
    expect(unsupportedIn("The spacing effect spreads hours over days, since working memory has room for four things [s3].")).to.have.length(
      1,
    );
  });

  it("finds a negation left out or added and an opposite word", () => {
    expect(unsupportedIn("The shortest file is not ethane.pdb with 12 lines [s2].")).to.deep.equal([
      ["The shortest file is not ethane.pdb with 12 lines", ["not ethane"]],
    ]);
    expect(unsupportedIn("Three hours in one evening teach more than one hour on each of three days [s3].")).to.deep.equal([
      ["Three hours in one evening teach more than one hour on each of three days", ["more"]],
    ]);
    expect(unsupportedIn("One hour on each of three days teaches more than three hours in one evening [s3].")).to.deep.equal([]);
  });

  it("finds options, signs and keys that passage and question lack", () => {
    expect(unsupportedIn("With `wc -w` you get the number of lines per file [s2].")).to.deep.equal([
      ["With `wc -w` you get the number of lines per file", ["-w"]],
    ]);
    expect(unsupportedIn("With `wc -w` you get the number of lines per file [s2].", "What is wc -w?")).to.deep.equal([]);
    expect(unsupportedIn("To print the number of lines per file make it Ctrl+Z [s2].")).to.deep.equal([
      ["To print the number of lines per file make it Ctrl+Z", ["ctrl-z"]],
    ]);
  });

  it("ignores numbers of list items and counts of the answer itself", () => {
    expect(unsupportedIn("9. The shortest file is ethane.pdb [s2].")).to.deep.equal([]);
    expect(unsupportedIn("There are four kinds of options for the number of lines per file [s2].")).to.deep.equal([]);
  });

  it("names no more than its bounds allow", () => {
    const [[, missing = []] = []] = unsupportedIn(
      `The ${"antidisestablishmentarianism".repeat(4)} is a floccinaucinihilipilification of the sesquipedalian [s1].`,
    );
    for (const word of missing) expect(word.length).to.be.at.most(60);
    expect(missing.length).to.be.within(1, 6);
  });

  it("judges a mark that reaches behind another by the passages of both", () => {
    expect(unsupportedIn("The spacing effect spreads hours over days [s3], room for four [s1].")).to.deep.equal([]);
    expect(unsupportedIn("The course says more under *Title 1* [s1], *Title 2* [s2].")).to.deep.equal([]);
    const quoted = "Three hours in one evening teach less than one hour on each of three days [s3].";
    expect(unsupportedIn(`${quoted}\n\nMehr sagt der Kurs unter *Title 1* [s1] und *Title 2* [s2].`)).to.deep.equal([]);
    expect(unsupportedIn(`${quoted}\n\nيقول المقرر المزيد في *Title 1* [s1] و*Title 2* [s2].`)).to.deep.equal([]);
  });

  it("ignores words and numbers of the question", () => {
    expect(unsupportedIn("Seeing 12 lines means the file ethane.pdb [s2].", "I see 12 lines, which molecule is that?")).to.deep.equal([]);
  });

  it("judges a sentence in another language by its numbers only", () => {
    expect(unsupportedIn("Das Arbeitsgedächtnis hat nur Platz für etwa 4 neue Dinge [s1].")).to.deep.equal([]);
    expect(unsupportedIn("Das Arbeitsgedächtnis hat Platz für 25 neue Dinge [s1].")).to.deep.equal([
      ["Das Arbeitsgedächtnis hat Platz für 25 neue Dinge", ["25"]],
    ]);
  });

  it("judges no more claims than its bound", () => {
    const many = Array.from({ length: bounds.citation.judged + 50 }, () => "It holds 99 things [s1].").join(" ");
    expect(unsupportedIn(many)).to.have.length(bounds.citation.judged);
  });

  it("analyses a passage once for all its claims", () => {
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
      const judged = unsupportedByWords(
        Array.from({ length: claims }, () => ({ text, marks: [{ number: 1, passage }], earlierPassages: [passage] })),
        "",
      );
      expect(judged).to.have.length(claims);
      return count;
    };
    expect(reads(150)).to.equal(reads(1));
  });

  it("keeps only the marks of claims beyond the bound", () => {
    const writer = citationWriter(passages);
    writer.push("It holds 99 things [s1]. ".repeat(bounds.citation.judged + 50));
    writer.end();
    const claims = writer.claims();
    expect(claims).to.have.length(bounds.citation.judged + 50);
    expect(claims.slice(bounds.citation.judged).every(({ text, marks }) => text === "" && marks.length === 1)).to.equal(true);
  });

  it("names the unsupported marks of each citation", () => {
    const writer = citationWriter(passages);
    const text = writer.push("It holds four things [s1]. It holds 99 things [s1]. Days matter [s3].") + writer.end();
    const claims = writer.claims();
    expect(text).to.contain("[^1]. It holds 99 things[^1]. Days matter[^2].");
    const citations = markUnsupported(writer.citations(), claims, unsupportedByWords(claims, ""));
    expect(citations.map(({ number, unsupported }) => [number, unsupported])).to.deep.equal([
      [1, [{ mark: 2, missing: ["99"] }]],
      [2, undefined],
    ]);
  });
});
