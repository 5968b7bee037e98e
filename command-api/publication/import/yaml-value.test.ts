import { expect } from "chai";
import { parseYaml } from "./yaml-value.ts";

const nested = (depth: number): string => "{".repeat(depth) + "}".repeat(depth);

describe("a text of YAML", () => {
  it("is read as what it holds", () => {
    expect(parseYaml("title: Maps\nparts: [&one a, *one]\n")).to.deep.equal({ title: "Maps", parts: ["a", "a"] });
  });

  it("is refused where it is nested deeper than it could be read in good time", () => {
    expect(() => parseYaml(nested(400))).to.throw("nested more than 100 deep");
    expect(parseYaml("[".repeat(100) + "]".repeat(100))).to.be.an("array");
  });

  it("is refused where it is no YAML, or an alias stands for nothing", () => {
    expect(() => parseYaml("title: [")).to.throw();
    expect(() => parseYaml("title: *Maps*")).to.throw("Maps");
  });
});
