import { expect } from "chai";
import { expressionTex } from "./expression-tex.ts";

describe("an expression as TeX", () => {
  const written: [expression: string, tex: string][] = [
    ["x^2 - 3*x", "x^{2} - 3 \\cdot x"],
    ["x^1.5", "x^{1.5}"],
    ["x^-a + 1", "x^{-a} + 1"],
    ["x^−2", "x^{-2}"],
    ["e^(x/(a+1))", "e^{x/(a+1)}"],
    ["x^(1/2)(x + 1)", "x^{1/2}(x + 1)"],
    ["2^x^2 - 1", "2^{x^{2}} - 1"],
    ["(x+1)^(a)(x)", "(x+1)^{a}(x)"],
    ["x^2(x - 1)", "x^{2}(x - 1)"],
    ["e^sin(2(x+1)) x", "e^{\\sin (2(x+1))} x"],
    ["e^(x)^(2)", "e^{(x)^{2}}"],
    ["floor(x) + tanh(x)", "\\operatorname{floor}(x) + \\tanh (x)"],
    ["sqrt((x+1)*(x+2)) - 1", "\\sqrt{(x+1) \\cdot (x+2)} - 1"],
    ["abs(x*(x + sqrt(2(x))))", "\\lvert x \\cdot (x + \\sqrt{2(x)}) \\rvert "],
    ["|x - 2| + abs(x)", "\\lvert x - 2 \\rvert  + \\lvert x \\rvert "],
    ["2sqrt(x) + 2sin(3pi)", "2\\sqrt{x} + 2\\sin (3\\pi )"],
    ["sqrt(x^(1/2))", "\\sqrt{x^{1/2}}"],
  ];
  for (const [expression, tex] of written) it(`writes ${expression}`, () => expect(expressionTex(expression)).to.equal(tex));
});
