import { expect } from "chai";
import { splitMarkdown } from "./split-text.ts";

const fence = "  ```text\n  one. two\n\n  three. four\n  ```\n";
const formula = "$$\na = b\n\n- c\n$$\n";

describe("splitting a long text", () => {
  it("cuts no fenced code in a list", () => {
    expect(splitMarkdown(`- item\n\n${fence}\n  Text after it.`, 43)).to.deep.equal(["- item", fence.trimEnd(), "  Text after it."]);
  });

  it("cuts no fenced code deep in a list", () => {
    const deep = fence.replaceAll(/^ {2}/gm, "    ");
    expect(splitMarkdown(`- a\n  - item\n\n${deep}\n    Text after it.`, 51)).to.include(deep.trimEnd());
  });

  it("makes several fences of one in a list or a quotation that is longer than a part", () => {
    const code = Array.from({ length: 40 }, (_, index) => `line ${index}`);
    for (const indent of ["  ", "> ", "  > ", "      "]) {
      const opening = indent === "      " ? "1. - - a" : indent.includes(">") ? "" : "- a";
      const text = `${opening}\n\n${["```py", ...code, "```"].map((line) => indent + line).join("\n")}\n\n- last`;
      const parts = splitMarkdown(text, 100);
      expect(Math.max(...parts.map(({ length }) => length)), indent).to.be.at.most(100);
      const fences = parts.filter((part) => part.startsWith("```py\n") && part.endsWith("\n```"));
      expect(fences.map((part) => part.slice(6, -4)).join("\n"), indent).to.equal(code.join("\n"));
      expect(parts.at(-1)).to.equal("- last");
    }
  });

  it("cuts no displayed formula", () => {
    expect(splitMarkdown(`Text before.\n\n${formula}\nText after it.`, 14)).to.deep.equal([
      "Text before.",
      formula.trimEnd(),
      "Text after it.",
    ]);
    expect(splitMarkdown("One two $$a + b = c + d$$ three", 10)).to.include("$$a + b = c + d$$");
  });

  it("cuts other texts at sentences and words", () => {
    expect(splitMarkdown("One two. Three four five.", 12)).to.deep.equal(["One two.", "Three four", "five."]);
  });
});
