import type { BlockType } from "@colloquy/schemas/courses/authored.ts";
import { expect } from "chai";
import { formulaProblem } from "../../rendering/katex.ts";
import { formulasOf } from "./formulas.ts";

const found = (source: string, type: BlockType = "core.theory") =>
  formulasOf({ id: "block-first-0001", type, source }).map(({ tex, line }) => [line, tex]);

describe("formulasOf", () => {
  it("finds formulas with their lines in all Markdown structures", () => {
    expect(found("One $a$\nand $b$ with $a$.\n\n> - in\n>   $c$\n\n$$\nd\n+ e\n$$\n\n|x|\n|-|\n|$f$|")).to.deep.equal([
      [1, "a"],
      [2, "b"],
      [2, "a"],
      [5, "c"],
      [8, "d\n+ e"],
      [14, "f"],
    ]);
  });

  it("finds none in code and headers, and one in a formula block", () => {
    expect(found("---\nkind: note\ntitle: $a$\n---\n`$b$` $c$", "core.callout")).to.deep.equal([[5, "c"]]);
    expect(found("```\n$a$\n```\nFor $5 and $6.")).to.deep.equal([]);
    expect(found("---\nlabel: 1\n---\n\n$$\n\\frac{1}{2}\n$$", "core.math")).to.deep.equal([[6, "\\frac{1}{2}"]]);
  });

  it("reports syntax errors and unknown commands", () => {
    expect(formulaProblem("\\frac{1}{2}", true)).to.equal(null);
    expect(formulaProblem("a\n\\nosuch", false)).to.deep.include({ reason: "Undefined control sequence: \\nosuch", at: 2 });
    expect(formulaProblem("\\frac{1", false)?.reason).to.be.a("string");
  });
});
