import { expect } from "chai";
import { readExpression } from "./expression.ts";

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
