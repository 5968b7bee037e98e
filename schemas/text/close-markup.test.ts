import { expect } from "chai";
import fc from "fast-check";
import { closeMarkup } from "./close-markup.ts";
import { growthOfText, linearGrowth } from "./growth.fixture.ts";

describe("closeMarkup", () => {
  for (const [name, text, closed] of [
    ["bold", "An **eigenvec", "An **eigenvec**"],
    ["bold before a space", "An **eigenvector ", "An **eigenvector**"],
    ["half of a closing mark", "An **eigenvector*", "An **eigenvector**"],
    ["emphasis within bold", "**a *b", "**a *b***"],
    ["a lone opening mark", "It is **", "It is"],
    ["a mark that begins an item", "One\n\n- two\n- **", "One\n\n- two\n-"],
    ["code", "Type `ls -", "Type `ls -`"],
    ["an empty code span", "Type `", "Type"],
    ["code of two backticks", "Type ``a`b", "Type ``a`b``"],
    ["a citation mark", "It is so [^1", "It is so"],
    ["a bracket", "It is so [", "It is so"],
    ["a link", "See [the page](/courses/a", "See the page"],
    ["a formula", "It is \\(a + b", "It is"],
    ["struck text", "Not ~~this", "Not ~~this~~"],
  ] as const)
    it(`closes or drops ${name}`, () => {
      expect(closeMarkup(text)).to.equal(closed);
    });

  for (const text of [
    "A whole **answer** with `code`, *emphasis* and \\(x*y*z\\).",
    "2 * 3 and a*b",
    "* one\n* two",
    "snake_case_name and __init__",
    "```sh\necho `**",
    "An \\*escaped star",
    "| a | **b** |\n| - | - |\n| c | d |",
    "**First** paragraph.\n\nSecond",
  ])
    it(`leaves as it is: ${JSON.stringify(text)}`, () => {
      expect(closeMarkup(text)).to.equal(text);
    });

  it("keeps every word", () => {
    const pieces = fc.constantFrom("a", "b ", "**", "*", "_", "`", "~~", "\n", "\n\n", "- ", "[", "[^", "```\n", "|", ". ");
    const words = (text: string): string => text.replaceAll(/[^ab]/g, "");
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 24 }), (parts) => {
        const text = parts.join("");
        expect(words(closeMarkup(text))).to.equal(words(text));
      }),
      { numRuns: 400 },
    );
  });

  it("takes linear time", () => {
    for (const piece of ["*a ", "_a", "` ", "``` ", "[a](", "\\(a\\) ", "**a*b _c "])
      expect(growthOfText(closeMarkup, piece), piece).to.be.below(linearGrowth);
  });
});
