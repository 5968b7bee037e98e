import { expect } from "chai";
import { readAttributes } from "./attributes.ts";

describe("attributes in braces", () => {
  const read = (text: string) => readAttributes(text, 0);

  it("are read as Pandoc and kramdown write them", () => {
    expect(read('{#one .a .b-c key=value alt=\'it\\\'s "so" \\*\' title="t}"} rest')).to.deep.equal({
      attributes: { id: "one", classes: ["a", "b-c"], values: { key: "value", alt: 'it\'s "so" *', title: "t}" } },
      end: 55,
    });
    expect(read("{: .output}")?.attributes.classes).to.deep.equal(["output"]);
    expect(read("{alt='over\n  two lines'}")?.attributes.values.alt).to.equal("over two lines");
  });

  it("are not found in other braces", () => {
    for (const text of ["{}", "{x : Nat}", "{0..9}", "{{ a }}", "{#", "no", "{.a, .b}"]) expect(read(text), text).to.equal(null);
  });

  it("may be long and broken", () => {
    expect(read(`{alt='${"\\'".repeat(100_000)}`)).to.equal(null);
    expect(read(`{${" .a".repeat(100_000)}`)).to.equal(null);
  });
});
