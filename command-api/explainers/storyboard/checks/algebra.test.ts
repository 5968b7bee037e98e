import { expect } from "chai";
import { standsIn, stepHolds } from "./algebra.ts";

describe("steps of a derivation", () => {
  const right: [string, string][] = [
    ["\\lambda^2 - 4\\lambda + 3 = 0", "(\\lambda - 3)(\\lambda - 1) = 0"],
    ["(\\lambda - 3)(\\lambda - 1) = 0", "\\lambda = 3 \\quad\\text{or}\\quad \\lambda = 1"],
    ["\\det\\begin{pmatrix} 2 - \\lambda & 1 \\\\ 1 & 2 - \\lambda \\end{pmatrix} = 0", "(2 - \\lambda)^2 - 1 = 0"],
    ["(2 - \\lambda)^2 - 1 = 0", "\\lambda^2 - 4\\lambda + 3 = 0"],
    ["2 \\cdot 3 - 1 \\cdot 1", "5"],
    ["(a + b)^2", "a^2 + 2ab + b^2"],
    ["2 \\times a", "2a"],
    ["-x + y = 0", "y = x"],
    ["2x + 4 = 10", "x = 3"],
    ["x^2 = 4", "x = 2 \\text{ or } x = -2"],
    ["\\frac{x}{2} = 3", "x = 6"],
    ["\\sqrt{x} = 3", "x = 9"],
    ["x^2 - 2x + 1 = 0", "x = 1"],
    ["(x - 60)(x - 1) = 0", "x = 60 \\text{ or } x = 1"],
    ["x^2 = 1000000", "x = 1000 \\text{ or } x = -1000"],
    ["\\frac{x}{100} = 3", "x = 300"],
    ["\\frac{a}{b} = c", "a = b c"],
    ["y = m x + b", "x = \\frac{y - b}{m}"],
    ["\\frac12 x", "\\frac{x}{2}"],
    ["\\tfrac{1}2 x", "\\dfrac x2"],
    ["\\sin 2x", "2 \\sin x \\cos x"],
    ["\\cos \\frac{x}{2} y", "\\cos(\\frac{xy}{2})"],
    ["x(x - 1)", "x^2 - x"],
    ["p(1 - p)", "p - p^2"],
    ["m(x - x_1)", "m x - m x_1"],
    ["\\frac{d}{2} + d", "\\frac{3d}{2}"],
  ];
  for (const [before, after] of right) it(`are right: ${before} to ${after}`, () => expect(stepHolds(before, after)).to.equal(true));

  const wrong: [string, string][] = [
    ["\\lambda^2 - 4\\lambda + 3 = 0", "(\\lambda + 3)(\\lambda - 1) = 0"],
    ["\\lambda^2 - 4\\lambda + 3 = 0", "\\lambda^2 + 4\\lambda + 3 = 0"],
    ["(\\lambda - 3)(\\lambda - 1) = 0", "\\lambda = 3 \\text{ or } \\lambda = -1"],
    ["(\\lambda - 3)(\\lambda - 1) = 0", "\\lambda = 3"],
    ["x^2 = 4", "x = 2"],
    ["2 \\cdot 3 - 1 \\cdot 1", "7"],
    ["(a + b)^2", "a^2 + b^2"],
    ["-x + y = 0", "y = -x"],
    ["2x + 4 = 10", "2x = 14"],
    ["x + 1", "x + 1 = 0"],
    ["(x - 60)(x - 1) = 0", "x = 1"],
    ["(x + 2000)(x - 1) = 0", "x = 1"],
    ["\\frac{a}{b} = c", "a = \\frac{c}{b}"],
    ["y = m x + b", "x = \\frac{y + b}{m}"],
    ["x + y = -1", "x + y = -2"],
    ["\\frac12 x", "\\frac{12}{x}"],
    ["\\sin 2x", "x \\sin 2"],
  ];
  for (const [before, after] of wrong) it(`are wrong: ${before} to ${after}`, () => expect(stepHolds(before, after)).to.equal(false));

  for (const tex of ["A v = \\lambda v", "\\int x", "a = b = c", "\\mathbb{R}", "x +"])
    it(`are left to the course where they are more than arithmetic: ${tex}`, () => expect(stepHolds(tex, tex)).to.equal(null));

  const applied = [
    ["\\frac{d}{dx} x^2", "x"],
    ["\\frac{d^2 y}{dx^2} = 0", "y = 0"],
    ["dy/dx = 1", "y = x"],
    ["dy = 2x\\,dx", "y = 2x^2"],
    ["f(a + b)", "f(a) + f(b)"],
    ["f(g(x))", "g(f(x))"],
    ["f^{-1}(x + 1)", "\\frac{x + 1}{f}"],
    ["y(2t)", "2y(t)"],
    ["p(x + 1)", "p x + p"],
    ["\\sin(x)^2", "\\sin(x^2)"],
    ["\\sin 2(x + 1)", "(x + 1) \\sin 2"],
    ["\\sin t e^{-t}", "\\sin(t e^{-t})"],
  ] as const;
  for (const [before, after] of applied)
    it(`are left to the course where letters are no numbers, or signs are read in two ways: ${before}`, () =>
      expect(stepHolds(before, after)).to.equal(null));

  const forSome = [
    ["c^2 = a^2 + b^2", "c = \\sqrt{a^2 + b^2}"],
    ["x y = x", "y = 1"],
    ["y = m x + b", "y = 2x + 1"],
  ] as const;
  for (const [before, after] of forSome)
    it(`are left to the course where they hold for some numbers: ${before} to ${after}`, () =>
      expect(stepHolds(before, after)).to.equal(null));

  it("are found in the course whatever their spaces", () => {
    expect(standsIn("(A - \\lambda I)v = 0", ["the same as $(A - \\lambda I)\\, v = 0$."])).to.equal(true);
    expect(standsIn("(A + \\lambda I)v = 0", ["the same as $(A - \\lambda I)\\, v = 0$."])).to.equal(false);
  });

  it("are found in the course only whole", () => {
    expect(standsIn("x = 1", ["so $x = 12$"])).to.equal(false);
    expect(standsIn("x = 1", ["so $x = 1.5$"])).to.equal(false);
    expect(standsIn("v = 0", ["solve $(A - 3I)v = 0$"])).to.equal(false);
    expect(standsIn("y = 2", ["so $y = 2x$ and $y = 2 + x$"])).to.equal(false);
    expect(standsIn("x = 1", ["so $x = 1$, and no other", "x = 2 or x = 1 is left"])).to.equal(true);
    expect(standsIn("x = 1", ["Here x = 1 is left."])).to.equal(true);
  });

  it("leaves to the course whether a product of letters with a cross commutes: it may be one of vectors", () => {
    expect(stepHolds("0 = 0", "a \\times b = b \\times a")).to.equal(null);
    expect(stepHolds("a \\times b", "b \\times a")).to.equal(null);
    expect(stepHolds("3 \\times 4", "12")).to.equal(true);
  });
});
