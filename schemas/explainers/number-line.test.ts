import { expect } from "chai";
import { approaches, jumpsOf, limitOf, numberLineFacts, termsOf, valueTex } from "./number-line.ts";

describe("a line of numbers", () => {
  it("computes where a sum leads, step by step", () => {
    const places = (sum: string) => jumpsOf(sum)?.map(({ tex, to }) => `${tex} ${to}`);
    expect(places("2 + 3 − 6")).to.deep.equal(["+3 5", "-6 -1"]);
    expect(places("-2 + (-4)")).to.deep.equal(["+(-4) -6"]);
    expect(places("0.1 + 0.2")).to.deep.equal(["+0.2 0.3"]);
    for (const sum of ["2", "2 * 3", "x + 1", "2 + ", "+ 3"]) expect(jumpsOf(sum), sum).to.equal(null);
  });

  it("computes the terms of a sequence from 1 on, and none where one has no value", () => {
    expect(termsOf({ expression: "(-1)^n/n", terms: 4 })).to.deep.equal([-1, 1 / 2, -1 / 3, 1 / 4]);
    expect(termsOf({ expression: "1/(n - 2)", terms: 4 })).to.equal(null);
    expect(termsOf({ expression: "1/x", terms: 4 })).to.equal(null);
    expect(limitOf({ limit: "e" })).to.equal(Math.E);
    expect(limitOf({ limit: "n" })).to.equal(null);
  });

  it("knows whether terms come near to a value", () => {
    const near: [string, number][] = [
      ["1/n", 0],
      ["1 + (-1)^n/n", 1],
      ["(1 + 1/n)^n", Math.E],
      ["n/(n + 1)", 1],
      ["sin(n)/n", 0],
      ["0.5^n", 0],
      ["sin(n)/n^0.5", 0],
      ["n^(1/n)", 1],
      ["sqrt(n^2 + n) - n", 0.5],
      ["3", 3],
    ];
    for (const [expression, limit] of near) expect(approaches(expression, limit), expression).to.equal(true);
    const far: [string, number][] = [
      ["1/n", 1],
      ["(-1)^n", 1],
      ["n", 0],
      ["n/(n + 1)", 1.01],
      ["n/(n + 1)", 1.0009],
      ["(1 + 1/n)^n", 2.719],
      ["(1 + 1/n)^n", 2.7188],
      ["sin(n)", 0],
    ];
    for (const [expression, limit] of far) expect(approaches(expression, limit), expression).to.equal(false);
  });

  it("says that a value is near where its decimals are cut", () => {
    expect(valueTex(0.5)).to.equal("= 0.5");
    expect(valueTex(1 / 3)).to.equal("\\approx 0.33");
  });

  it("says in formulas what it shows", () => {
    const facts = numberLineFacts({
      heading: "A line",
      from: -9,
      to: 9,
      intervals: [
        { inequality: "|x| > 2", cue: "", endsCue: "" },
        { inequality: "x < 3", cue: "", endsCue: "" },
      ],
      jumps: [{ sum: "2 + 3", cues: ["", ""] }],
      sequences: [{ expression: "1/n", terms: 5, cue: "", limit: "0", limitCue: "" }],
      zoom: null,
    });
    expect(facts).to.deep.equal([
      "\\lvert x \\rvert > 2",
      "x < -2 \\;\\lor\\; x > 2",
      "x < 3",
      "2 + 3 = 5",
      "a_n = 1/n",
      "\\lim_{n \\to \\infty} a_n = 0",
    ]);
  });
});
