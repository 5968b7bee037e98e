import { expect } from "chai";
import { inequalityTex, intervalTex, type Solved, solve } from "./inequality.ts";

const line = { from: -10, to: 10 };
const told = (solved: Solved): string[] =>
  solved.kind === "solved" ? solved.intervals.map((one) => intervalTex(one, solved.letter)) : [solved.problem];
const solutions = (text: string): string[] => told(solve(text, line));

describe("an inequality", () => {
  const cases: [text: string, intervals: string[]][] = [
    ["x < 3", ["x < 3"]],
    ["3 >= x", ["x \\le 3"]],
    ["2x + 1 ≤ 7", ["x \\le 3"]],
    ["-1 <= t < 2.5", ["-1 \\le t < 2.5"]],
    ["|x - 2| < 3", ["-1 < x < 5"]],
    ["|x| >= 2", ["x \\le -2", "x \\ge 2"]],
    ["x^2 > 0", ["x < 0", "x > 0"]],
    ["(x - 1)^2 <= 0", ["x = 1"]],
    ["x^2 >= 0", [""]],
    ["3 > x >= -2", ["-2 \\le x < 3"]],
    ["5 - x > 1", ["x < 4"]],
  ];
  for (const [text, intervals] of cases) it(`computes where ${text} holds`, () => expect(solutions(text)).to.deep.equal(intervals));

  it("writes no end in two decimals that has more", () => {
    const solved = solve("x^2 < 2", line);
    const [one] = solved.kind === "solved" ? solved.intervals : [];
    expect(one?.to?.at).to.be.closeTo(Math.SQRT2, 1e-9);
    expect(told(solved)).to.deep.equal([""]);
  });

  it("is not solved where it cannot be read, never holds, or ends beside the line", () => {
    for (const text of ["x", "x < y", "1 < 2", "1 < x > 2", "x < ", "process.exit() < x"])
      expect(solutions(text)[0], text).to.match(/can be read/u);
    expect(solutions("x^2 < 0")[0]).to.match(/never holds/u);
    expect(solutions("x < 12")[0]).to.match(/beside the line/u);
    expect(solutions("1/x < 1")[0], "it has no value at 0").to.match(/cannot be computed/u);
    expect(solutions("sqrt(x) < 2")[0], "it has no value below 0").to.match(/cannot be computed/u);
  });

  it("is shown as it is written", () => expect(inequalityTex("|x - 2| <= 3 ")).to.equal("\\lvert x - 2 \\rvert \\le 3"));
});
