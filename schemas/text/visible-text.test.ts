import { expect } from "chai";
import { conversationExcerpt } from "../conversations/excerpt.ts";
import { beginningOf, searchTerms } from "../search/text.ts";
import { shownWords } from "./visible-text.ts";

describe("the words of a Markdown text as one line", () => {
  const cases: [markdown: string, shown: string][] = [
    ["## Pipes\n\nThey **start** together[^1], _then_ wait.\n\n[^1]: a note", "Pipes They start together, then wait."],
    ["1. [x] one\n2. two\n   - three", "one two three"],
    ["> [!NOTE]\n> Mind the *gap*.", "Mind the gap."],
    ["a [link](/x) and ![a picture](/y.png) and <https://x.test/a>", "a link and a picture and https://x.test/a"],
    ["Use `wc -l *.pdb` and ``a ` b``.", "Use wc -l *.pdb and a ` b."],
    ["Before\n```bash\nsort -n **x**\n```\nafter\n\n---\n\nend", "Before sort -n **x** after end"],
    ["See:\n```mermaid\ngraph TD\n```\nDone.", "See: Done."],
    ["| a | b |\n|---|:-:|\n| 1 | 2 |", "a b 1 2"],
    ["Title\n=====\nsnake_case stays, 2 * 3 stays, 5*6*7 too", "Title snake_case stays, 2 * 3 stays, 5*6*7 too"],
    ["$A\\mathbf{v} = \\lambda v_1$ costs $5 or $6", "Av = λv_1 costs $5 or $6"],
    ["so\n\n$$t \\approx \\frac{a}{b}$$\n\nand \\(x \\le y\\)", "so t ≈a/b and x ≤y"],
    ["\\*not emphasis\\* <b>as written</b>", "*not emphasis* <b>as written</b>"],
    ["", ""],
    ["[^1]", ""],
  ];
  for (const [markdown, shown] of cases)
    it(JSON.stringify(markdown), () => {
      expect(shownWords(markdown)).to.equal(shown);
    });

  it("takes one pass, whatever the text", () => {
    const count = 20_000;
    for (const piece of ["[", "*", "`", "$", "_a", "[a](", "| ", "> ", "<http:", "\\(", "- "]) shownWords(piece.repeat(count));
  });
});

describe("what a list shows of a conversation", () => {
  const turns = [
    { question: "What is it?", answer: "## A *map*\n\nIt keeps lines[^1]." },
    { question: "And an **eigenvector**?", answer: `${"Some words. ".repeat(30)}An [eigenvector](/x) keeps its line.` },
  ];

  it("is where the terms stand, as it is read", () => {
    expect(conversationExcerpt(turns, searchTerms("eigenv"), 60)).to.match(/^….*An eigenvector keeps its line\.$/);
  });
  it("is its first words where the terms stand in the title alone, or only in an address", () => {
    expect(conversationExcerpt(turns, searchTerms("title"))).to.equal("A map It keeps lines.");
    expect(conversationExcerpt([{ question: "Where?", answer: "[here](/needle)" }], ["needle"])).to.equal("here");
  });
  it("is the question while nothing was answered, and nothing where nothing was asked", () => {
    expect(conversationExcerpt([{ question: "Where **now**?", answer: "" }], ["x"])).to.equal("Where now?");
    expect(conversationExcerpt([], ["x"])).to.equal(null);
  });
  it("prefers a word that begins so to one that holds it", () => {
    const text = `tapes ${"and more ".repeat(20)}an ape`;
    expect(conversationExcerpt([{ question: "?", answer: text }], ["ape"], 40)).to.match(/ape$/);
  });
  it("is cut at a word, and never within a character", () => {
    expect(beginningOf("one two three", 9)).to.equal("one two…");
    expect(beginningOf("😀😀😀", 3).isWellFormed()).to.equal(true);
  });
});
