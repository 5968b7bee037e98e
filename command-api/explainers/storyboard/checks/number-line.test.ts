import type { SceneContent, SceneOf } from "@colloquy/schemas/explainers/storyboard.ts";
import { expect } from "chai";
import { contentFindings } from "./content.ts";
import { isWritten } from "./written.ts";

const empty: SceneContent<"number-line"> = { heading: "A line", from: -5, to: 9, intervals: [], jumps: [], sequences: [], zoom: null };
const found = (content: Partial<SceneContent<"number-line">>, text: string): string[] =>
  contentFindings({ layout: "number-line", content: { ...empty, ...content } } as SceneOf<"number-line">, [text], []).map(
    ({ problem, detail }) => `${problem} ${detail}`,
  );
const interval = (inequality: string) => ({ inequality, cue: "", endsCue: "" });
const sequence = (expression: string, limit = "") => ({ expression, terms: 5, cue: "", limit, limitCue: "" });

describe("what is written in a text", () => {
  const written: [expression: string, text: string][] = [
    ["|x - 2| < 3", "All $\\lvert x-2 \\rvert < 3$ are near."],
    ["|x - 2| < 3", "All \\(\\left|x - 2\\right| < 3\\)."],
    ["x <= 3", "where x ≤ 3 holds"],
    ["-1 <= x < 2", "so $-1 \\leq x < 2$."],
    ["1/n", "The sequence $a_n = \\frac{1}{n}$."],
    ["1 + (-1)^n/n", "$a_n = 1 + \\frac{(-1)^n}{n}$"],
    ["n/(n + 1)", "$\\dfrac{n}{n+1}$ comes near to 1"],
    ["(1 + 1/n)^n", "$\\left(1 + \\frac1n\\right)^n$"],
    ["0.5^n", "the terms `0.5^n`"],
    ["2 + 3 - 5", "We walk: 2 + 3 − 5 = 0."],
    ["2x + 1 < 7", "$2x + 1 < 7$"],
    ["2x + 1 < 7", "$2 \\cdot x + 1 < 7$"],
    ["sqrt(n)/n", "$\\frac{\\sqrt{n}}{n}$"],
    ["1/n", "$\\lim_{n \\to \\infty} 1/n = 0$"],
  ];
  for (const [expression, text] of written)
    it(`finds ${expression} in “${text}”`, () => expect(isWritten(expression, [text])).to.equal(true));

  const parts: [expression: string, text: string][] = [
    ["x < 3", "2x < 3"],
    ["x < 3", "2 x < 3"],
    ["x < 3", "-x < 3"],
    ["x < 3", "x < 30"],
    ["x < 3", "x < 3.5"],
    ["x < 3", "0 < x < 3"],
    ["x < 3", "x < 3y"],
    ["x < 3", "x ≤ 3"],
    ["1/n", "1/n^2"],
    ["1/n", "1 + 1/n"],
    ["1/n", "-1/n"],
    ["2 + 3", "2 + 3 - 5"],
    ["2 + 3", "12 + 3"],
  ];
  for (const [expression, text] of parts)
    it(`does not find ${expression} in “${text}”`, () => expect(isWritten(expression, [text])).to.equal(false));
});

describe("the check of a line of numbers", () => {
  it("wants inequalities, sums and sequences of the passages", () => {
    const text = "The solutions of $|x - 2| < 3$, the walk 2 + 3 - 6, and $a_n = \\frac{1}{n}$.";
    const content = {
      intervals: [interval("|x - 2| < 3")],
      jumps: [{ sum: "2 + 3 - 6", cues: ["", "", ""] }],
      sequences: [sequence("1/n", "0")],
    };
    expect(found(content, text)).to.deep.equal([]);
    expect(found(content, "Something else.")).to.have.length(3);
  });

  it("takes an inequality that has the intervals of one that is written, and no other", () => {
    const text = "The solutions of $|x - 2| < 3$.";
    const both = (other: string) => found({ intervals: [interval("|x - 2| < 3"), interval(other)] }, text);
    expect(both("-1 < x < 5")).to.deep.equal([]);
    expect(both("-1 <= x < 5")[0]).to.match(/^unsupported .*-1 <= x < 5/u);
    expect(both("-1 < x < 6")).to.have.length(1);
    expect(found({ intervals: [interval("-1 < x < 5")] }, text), "not by itself").to.have.length(1);
  });

  it("refuses a limit that the terms do not come near to", () => {
    const text = "Look at $\\frac{1}{n}$.";
    expect(found({ sequences: [sequence("1/n", "1")] }, text)[0]).to.match(/1\/n does not come near to 1/u);
    expect(found({ sequences: [sequence("1/n", "nothing")] }, text)).to.have.length(1);
    expect(found({ sequences: [sequence("1/n")] }, text)).to.deep.equal([]);
  });
});
