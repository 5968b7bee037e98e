import { createCanvas, Path2D } from "@napi-rs/canvas";
import { expect } from "chai";
import { NotSet, setFormula } from "./tex.ts";

/** How many pieces of ink a formula has that touch nowhere, as it is drawn in a large size. */
function piecesOf(tex: string): number {
  const { path, left, right, ascent, descent } = setFormula(tex);
  const size = 100;
  const [width, height] = [Math.ceil((right - left) * size) + 4, Math.ceil((ascent + descent) * size) + 4];
  const context = createCanvas(width, height).getContext("2d");
  const moved = new Path2D();
  moved.addPath(path, { a: size, b: 0, c: 0, d: size, e: 2 - left * size, f: 2 + ascent * size });
  context.fill(moved);
  const { data } = context.getImageData(0, 0, width, height);
  const isInk = (at: number): boolean => (data[at * 4 + 3] ?? 0) > 127;
  const seen = new Set<number>();
  let pieces = 0;
  for (let start = 0; start < width * height; start += 1) {
    if (seen.has(start) || !isInk(start)) continue;
    pieces += 1;
    const open = [start];
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (const next of [at, at - 1, at + 1, at - width, at + width, at - width - 1, at - width + 1, at + width - 1, at + width + 1])
        if (!seen.has(next) && isInk(next)) {
          seen.add(next);
          open.push(next);
        }
  }
  return pieces;
}

describe("a piece of TeX", function () {
  this.timeout(120_000);

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

  it("is set once for all scenes that show it", () => {
    expect(setFormula("\\lambda^2")).to.equal(setFormula("\\lambda^2"));
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

  const column = "\\begin{matrix}o\\\\o\\\\o\\\\o\\\\o\\end{matrix}";
  // A letter o is one piece of ink, and so is whatever is stretched over it.
  const stretched: [tex: string, pieces: number][] = [
    ["\\overbrace{ooo}", 4],
    ["\\underbrace{oooooooooooooooooooo}_{o}", 22],
    ["\\overbrace{\\overbrace{oooooooo}^{o}oooooooo}^{o}", 20],
    ["\\overline{oooooo}", 7],
    ["\\underline{oooooo}", 7],
    ["\\widehat{oooo}", 5],
    ["\\widetilde{oooo}", 5],
    ["\\overrightarrow{oooooooooo}", 11],
    ["\\overleftrightarrow{oooooooooo}", 11],
    ["\\xrightarrow{oooooooooooooo}", 15],
    ["\\xleftarrow[oooooooo]{o}", 10],
    ["\\longrightarrow", 1],
    [`\\left(${column}\\right)`, 7],
    [`\\left[${column}\\right]`, 7],
    [`\\left\\{${column}\\right.`, 6],
    [`\\left|${column}\\right\\|`, 8],
    [`\\left\\lfloor${column}\\right\\rangle`, 7],
    [`\\sqrt{${column}}`, 6],
    ["\\sqrt{\\frac{\\frac{o}{o}}{\\frac{o}{o}}}", 8],
    ["\\begin{pmatrix}o&o&o\\\\o&o&o\\\\o&o&o\\end{pmatrix}", 11],
    ["\\begin{vmatrix}o&o\\\\o&o\\end{vmatrix}", 6],
    ["\\begin{cases}o\\\\o\\\\o\\\\o\\end{cases}", 5],
  ];
  for (const [tex, pieces] of stretched)
    it(`is drawn whole where it is stretched: ${tex.slice(0, 50)}`, () => {
      expect(piecesOf(tex)).to.equal(pieces);
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
