import { expect } from "chai";
import { NotSet, setFormula } from "./tex.ts";

describe("a piece of TeX", function () {
  this.timeout(60_000);

  it("is set as outlines about its baseline", () => {
    const { advance, ascent, descent, left, right, least } = setFormula("\\frac{a}{b}");
    expect(right - left)
      .to.be.above(0.4)
      .and.below(advance + 0.1);
    expect(ascent).to.be.above(0.8);
    expect(descent).to.be.above(0.3);
    expect(least).to.equal(1);
    expect(setFormula("x^{y^z}").least).to.be.below(0.72);
  });

  it("gives an operator at its end the room it has between two things", () => {
    expect(setFormula("+ b").advance).to.be.above(setFormula("b").advance + 1);
  });

  it("keeps tall brackets within their window", () => {
    const { ascent, descent } = setFormula("\\left(\\begin{matrix}1\\\\2\\\\3\\\\4\\\\5\\end{matrix}\\right)");
    expect(ascent + descent)
      .to.be.above(5)
      .and.below(9);
  });

  for (const hostile of [
    "\\def\\a{\\a\\a}\\a",
    "\\newcommand{\\b}{x}\\b",
    "\\require{physics}",
    "\\href{https://example.org}{x}",
    "\\unicode{x61}",
    "\\class{a}{x}",
    "\\style{color:red}{x}",
    "\\color{red}{x}",
    "\\includegraphics{/etc/passwd}",
    "\\input{/etc/passwd}",
    "\\rule{99em}{99em}",
    "a\\kern-9em b",
    "\\llap{x}",
    "\\tiny x",
    "\\text{漢}",
    "\\text{الف}",
    "\\phantom{x}",
    "{".repeat(100),
    "x^",
    "\\\\[-9em]",
    "<img src=x onerror=alert(1)>\\foo",
  ])
    it(`is refused: ${hostile.slice(0, 40)}`, () => {
      expect(() => setFormula(hostile)).to.throw(NotSet);
    });

  it("takes bounded time however it is nested", () => {
    const nested = `${"\\frac{1}{".repeat(20)}x${"}".repeat(20)}`;
    expect(setFormula(nested).ascent).to.be.above(1);
    expect(() => setFormula("\\left(".repeat(33))).to.throw(NotSet);
  });
});
