import { expect } from "chai";
import { codeMarked, markdownOf } from "./markdown.ts";

describe("plain words as Markdown", () => {
  const shown: [string, string][] = [
    ["Use ls -F to mark them.", "Use `ls -F` to mark them."],
    ["the -l option of wc", "the `-l` option of wc"],
    ["All *.txt files, and notes/draft.txt too.", "All `*.txt` files, and `notes/draft.txt` too."],
    ["If $1 and $2 are set", "If `$1` and `$2` are set"],
    ["It costs $50 or $60 today", "It costs \\$50 or \\$60 today"],
    ["a number $\\lambda$ and $x^2$ stay", "a number $\\lambda$ and $x^2$ stay"],
    ["and/or stays, so does a_b", "and/or stays, so does a_b"],
    ["2 * 3 < 7 [x]", "2 `*` 3 `<` 7 \\[x]"],
    ["ls [path] lists a folder", "ls \\[path] lists a folder"],
    ["Already `marked` *text*", "Already `marked` *text*"],
  ];
  for (const [words, markdown] of shown) it(`shows ${words}`, () => expect(markdownOf(words)).to.equal(markdown));

  it("can leave the words as they are", () => expect(codeMarked("a_ [b] ls -F")).to.equal("a_ [b] `ls -F`"));

  it("keeps tuples, intervals and absolute values as formulas, and shell variables as code", () => {
    expect(markdownOf("the multiples of $(1, 1)$ and $(1, -1)$")).to.equal("the multiples of $(1, 1)$ and $(1, -1)$");
    expect(markdownOf("in $[0, 1]$ with $|x|$")).to.equal("in $[0, 1]$ with $|x|$");
    expect(markdownOf("between $1 and $2")).to.equal("between `$1` and `$2`");
  });
});
