import { expect } from "chai";
import { hasLetter, readDerivative, readExpression } from "./expression.ts";

describe("an expression of x", () => {
  const cases: [text: string, x: number, value: number][] = [
    ["x^2 - 1", 3, 8],
    ["-x^2", 3, -9],
    ["2x + 1", 4, 9],
    ["2 sin(x)", Math.PI / 2, 2],
    ["(x + 1)(x - 1)", 5, 24],
    ["x(x + 1)", 2, 6],
    ["2^3^2", 0, 512],
    ["2^-x", 1, 0.5],
    ["8 / 4 / 2", 0, 1],
    ["10 - 4 - 3", 0, 3],
    ["sqrt(abs(-x)) · pi ÷ pi", 16, 4],
    ["ln(e)", 0, 1],
    ["3 × .5 − 1", 0, 0.5],
  ];
  for (const [text, x, value] of cases)
    it(`reads ${text}`, () => {
      expect(readExpression(text)?.(x)).to.be.closeTo(value, 1e-12);
    });

  for (const text of ["", "x +", "(x", "x)", "y", "sin x", "constructor(x)", "x;1", "alert(1)", "x ** 2", "1.2.3", "toString"])
    it(`reads nothing in ${JSON.stringify(text)}`, () => {
      expect(readExpression(text)).to.equal(null);
    });
});

describe("the derivative of an expression", () => {
  const cases: [text: string, x: number, slope: number][] = [
    ["x^2 - 1", 3, 6],
    ["-x^2", 3, -6],
    ["2 sin(x)", 0, 2],
    ["(x + 1)(x - 1)", 5, 10],
    ["1 / x", 2, -0.25],
    ["x / (x + 1)", 1, 0.25],
    ["2^x", 3, 8 * Math.LN2],
    ["x^x", 2, 4 * (Math.LN2 + 1)],
    ["exp(-x^2)", 1, -2 / Math.E],
    ["sqrt(x)", 4, 0.25],
    ["abs(x)", -2, -1],
    ["5", 1, 0],
    ["x^0", 0, 0],
    ["a x^2 + a", 2, 12],
  ];
  for (const [text, x, slope] of cases)
    it(`of ${text} at ${x}`, () => {
      expect(readDerivative(text, "x", { a: 3 })?.(x)).to.be.closeTo(slope, 1e-12);
    });

  it("is what the slopes of short chords come to, for every function", () => {
    for (const name of ["sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "ln", "log", "sqrt", "abs"]) {
      const [curve, slope] = [readExpression(`${name}(x)`), readDerivative(`${name}(x)`)];
      const chord = ((curve?.(0.4 + 1e-5) ?? Number.NaN) - (curve?.(0.4 - 1e-5) ?? Number.NaN)) / 2e-5;
      expect(slope?.(0.4), name).to.be.closeTo(chord, 1e-6);
    }
  });

  for (const [text, x] of [
    ["abs(x)", 0],
    ["sqrt(x)", 0],
    ["sqrt(x^2)", 0],
    ["floor(x)", 2],
    ["1 / x", 0],
    ["ln(x)", -1],
    ["x^(1/3)", 0],
  ] as const)
    it(`is no number where there is none: ${text} at ${x}`, () => {
      expect(readDerivative(text)?.(x)).to.satisfy((slope: number) => !Number.isFinite(slope));
    });

  it("is read only of letters that are given", () => {
    expect(readDerivative("a x^2")).to.equal(null);
    expect([hasLetter("2 a x", "a"), hasLetter("abs(x)", "a")]).to.deep.equal([true, false]);
  });
});
