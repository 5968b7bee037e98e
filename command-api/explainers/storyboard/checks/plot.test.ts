import type { SceneOf } from "@colloquy/schemas/explainers/storyboard.ts";
import { expect } from "chai";
import { plotFindings } from "./plot.ts";

const texts = ["After 1 day: the polynomials $x^2 + 4x + 7$ and $\\lambda^2 - 4\\lambda + 3$, and $R(t) = e^{-t/S}$, or $e^{-t/2}$."];
function found(expression: string, label: string, marks: { x: number; label: string }[] = [], own = texts): string {
  const content = {
    heading: "A curve",
    x: { label: "x", from: -2, to: 6 },
    yLabel: "",
    functions: [{ expression, label }],
    marks,
  };
  return plotFindings({ layout: "plot", content } as unknown as SceneOf<"plot">, own)
    .map(({ detail }) => detail)
    .join(" ");
}

describe("the function of a curve", () => {
  const page = ["The functions $\\sin 2x$, $\\tfrac12 x$ and $x^10$."];
  it("is what the page's TeX means", () => {
    for (const expression of ["sin(2*x)", "x/2", "x^10"]) expect(found(expression, "", [], page), expression).to.equal("");
  });
  it("is refused where it is what the TeX does not mean", () => {
    for (const expression of ["sin(2)*x", "12/x", "12*x"]) expect(found(expression, "", [], page), expression).to.match(/is none that/);
  });
});

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

describe("the numbers that the label of a curve gives", () => {
  const course = ["The function $x^2$ at 2, and $R(t) = e^{-t/S}$ with $S = 2$."];
  for (const [expression, label] of [
    ["exp(-x/9)", "S = 9"],
    ["exp(-x/2)", "S = 2"],
    ["x^2", "S = 2"],
  ] as const)
    it(`are of its formula in the course, or of the course: ${expression}, ${label}`, () =>
      expect(found(expression, label, [], course)).to.equal(""));
  for (const label of ["y = 5", "S = 9"])
    it(`are no others: ${label}`, () => expect(found("x^2", label, [], course)).to.match(/The curve x\^2 has no/));
});

describe("the label of a mark", () => {
  const course = ["The function $x^2$ at 2 and 3, of 5 and 14 days. The curve $4 - x^2$, and $e^x$ at $-2$, and $\\sin(x)$."];
  const at = (expression: string, x: number, label: string) => found(expression, "", [{ x, label }], course);
  for (const [expression, x, label] of [
    ["x^2", 2, "f(2) = 4"],
    ["x^2", 2, "f(2) = 2² = 4"],
    ["x^2", 2, "(2, 4)"],
    ["x^2", 2, "x² = 4"],
    ["x^2", 2, "2 of 14 days"],
    ["x^2", 3, "9"],
    ["sin(x)", 1.5708, "π/2 ≈ 1.57"],
    ["sin(x)", 1.5708, "maximum at 1.6"],
    ["exp(x)", 5, "e^5 ≈ 148.41"],
    ["exp(x)", -2, "13.5 % left"],
    ["exp(x)", -2, "bei 0,14"],
    ["x^2", 0, "lowest point"],
    ["4 - x^2", 0, "Hochpunkt"],
  ] as const)
    it(`says what is there: ${label}`, () => expect(at(expression, x, label)).to.equal(""));
  for (const [expression, x, label] of [
    ["x^2", 2, "f(2) = 5"],
    ["x^2", 2, "f(3) = 4"],
    ["x^2", 2, "(2, 5)"],
    ["x^2", 2, "2 of 15 days"],
    ["x^2", 2, "x² + 1 = 4"],
    ["x^2", 2, "5"],
    ["exp(x)", -2, "-2: 37 % left"],
  ] as const)
    it(`is refused where a number of it is another: ${label}`, () => expect(at(expression, x, label)).to.match(/A mark at -?\d says/));
  it("takes no number of a letter that only the course gives", () => {
    const course = ["The curve $x^2 - 4x + 3$ is zero for x = 1 and x = 3."];
    expect(found("x^2 - 4x + 3", "", [{ x: 1, label: "x = 3" }], course)).to.match(/A mark at 1 says/);
    expect(found("exp(-x/2)", "S = 2", [{ x: 1, label: "R = 0.61, S = 2" }])).to.equal("");
  });
  it("calls the highest and the lowest place by their names", () => {
    expect(at("x^2", 0, "maximum")).to.match(/no curve turns there so/);
    expect(at("4 - x^2", 0, "tiefste Stelle")).to.match(/no curve turns there so/);
  });
});
