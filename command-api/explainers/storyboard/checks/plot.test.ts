import type { SceneOf } from "@colloquy/schemas/explainers/storyboard.ts";
import { expect } from "chai";
import { plotFindings } from "./plot.ts";

const texts = ["The polynomials $x^2 + 4x + 7$ and $\\lambda^2 - 4\\lambda + 3$, and $R(t) = e^{-t/S}$, or $e^{-t/2}$."];
function found(expression: string, label: string): string {
  const content = {
    heading: "A curve",
    x: { label: "x", from: -2, to: 6 },
    yLabel: "",
    functions: [{ expression, label }],
    marks: [],
  };
  return plotFindings({ layout: "plot", content } as unknown as SceneOf<"plot">, texts)
    .map(({ detail }) => detail)
    .join(" ");
}

describe("the label of a curve", () => {
  const other = [
    "λ² − 4λ + 3",
    "polynomial λ² − 4λ + 3",
    "λ² − 4λ + 3 = 0",
    "p(λ) = λ² − 4λ + 3",
    "\\lambda^{2} - 4\\lambda + 3",
    "$\\lambda^2 - 4\\lambda + 3 = 0$",
    "the curve of (x − 1)(x − 3)",
  ];
  for (const label of other)
    it(`is refused as that of another curve: ${label}`, () => {
      expect(found("x^2 + 4*x + 7", label)).to.match(/The curve is x\^2 \+ 4\*x \+ 7, and its label says/);
      expect(found("x^2 - 4*x + 3", label)).to.equal("");
    });

  for (const label of [
    "",
    "the first-order curve",
    "S = 2",
    "x-axis",
    "R(t) after 2 days",
    "1–3 days",
    "a 5-day gap",
    "e^{-t/S} with S = 2",
  ])
    it(`may be words, a name, a number: ${label}`, () => expect(found("exp(-x/2)", label)).to.equal(""));

  for (const label of ["\\int x dx", "x^2 + 4y"])
    it(`is refused where its formula cannot be read: ${label}`, () =>
      expect(found("x^2 + 4*x + 7", label)).to.match(/cannot be read.*words only/));
});
