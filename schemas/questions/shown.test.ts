import { expect } from "chai";
import { parseQuestion } from "../courses/parsers/question.ts";
import { cutAtGapSigns, fillGaps, gapParts, promptMarkdown } from "./gaps.ts";
import { shownQuestion } from "./response.ts";
import { partId, withoutKey } from "./shown.ts";

const bodies: Record<string, string> = {
  single: "Q\n- [x] secret\n- [ ] b\n  > feedback",
  multiple: "Q\n- [x] a\n- [ ] b",
  text: "Q\n= secret",
  number: "Q\n= 4711",
  gap: "Q [[secret]]",
  order: "Q\n1. a\n2. b\n3. c",
  match: "Q\n- a => 1\n- b => 2",
  free: "Q\n::: rubric\n- secret\n- b\n:::\n::: answer\nsecret\n:::",
};

describe("the private characters of gaps", () => {
  it("are none of those that KaTeX writes for signs such as ≠", () => {
    expect(cutAtGapSigns(promptMarkdown({ kind: "gap", markdown: "a [[1]] b" }))).to.deep.equal(["a ", 1, " b"]);
    expect(cutAtGapSigns("\ue020")).to.deep.equal(["\ue020"]);
  });
});

describe("a question without its key", () => {
  for (const [kind, body] of Object.entries(bodies))
    it(`holds its schema and nothing of the key: ${kind}`, () => {
      const result = parseQuestion(`---\nkind: ${kind}\n---\n${body}\n::: hint\nhinted\n:::\n::: explanation\nexplained\n:::`);
      if (!result.ok) throw new Error(JSON.stringify(result.errors));
      const shown = withoutKey(result.data, "seed");
      expect(shownQuestion.parse(shown)).to.deep.equal(shown);
      expect(JSON.stringify(shown)).not.to.match(/4711|correct|feedback|explained|hinted|accepted|rubric/);
      if (kind !== "single") expect(JSON.stringify(shown)).not.to.include("secret");
    });

  it("shuffles by its seed, and never shows items in the right order", () => {
    const result = parseQuestion(`---\nkind: order\n---\n${bodies.order}\n::: explanation\nx\n:::`);
    if (!result.ok) throw new Error(JSON.stringify(result.errors));
    const orders = new Set<string>();
    for (let seed = 0; seed < 60; seed += 1) {
      const shown = withoutKey(result.data, String(seed));
      if (shown.kind === "order") orders.add(shown.items.map(({ markdown }) => markdown).join(""));
    }
    expect([...orders].sort()).to.deep.equal(["acb", "bac", "bca", "cab", "cba"]);
  });

  it("names parts by their text", () => {
    expect(partId("a")).to.equal(partId("a"));
    expect(new Set(["a", "b", "ab", "ba", "aa", ""].map(partId)).size).to.equal(6);
  });
});

describe("the prompt of a question with gaps", () => {
  it("is cut at its gaps", () => {
    expect(gapParts("a [[1]] \\[[2]] [[2]]")).to.deep.equal([{ text: "a " }, { gap: 1 }, { text: " [[2]] " }, { gap: 2 }]);
    expect(fillGaps("a [[1]] b", (gap) => `<${gap}>`)).to.equal("a <1> b");
  });
});
