import { expect } from "chai";
import { reasonFits } from "./reasons.ts";

describe("the reason of a step", () => {
  const cases: readonly (readonly [before: string, after: string, reason: string, fits: boolean | null])[] = [
    ["2x + 3 = 7", "2x = 4", "subtract 3", true],
    ["2x + 3 = 7", "2x = 4", "divide by 2", false],
    ["2x + 3 = 7", "2x = 4", "add 3 to both sides", false],
    ["2x + 3 = 7", "2x = 4", "subtract 4", false],
    ["2x = 4", "x = 2", "dividing both sides by 2", true],
    ["2x = 4", "2 = x", "divide by 2", true],
    ["2x = 4", "x = 2", "subtract 2", false],
    ["\\frac{x}{3} = 2", "x = 6", "multiply by 3", true],
    ["a x = b", "x = \\frac{b}{a}", "divide by a", true],
    ["2x + 3 = 7", "2x = 4", "3 auf beiden Seiten subtrahieren", true],
    ["2x = 4", "x = 2", "durch 4 teilen", false],
    ["2x + 3 = 7", "2x = 4", "all numbers on one side", null],
    ["2x = 4", "x = 2", "divide by a common factor", null],
    ["2x + 3 = 7", "x = 2", "subtract 3, then divide by 2", null],
    ["A v = 3 v", "(A - 3I) v = 0", "subtract 3", null],
    ["x^2 - 1", "(x - 1)(x + 1)", "multiply by 2", null],
  ];
  for (const [before, after, reason, fits] of cases)
    it(`“${reason}” ${fits === null ? "cannot be told" : fits ? "fits" : "does not fit"} from ${before} to ${after}`, () => {
      expect(reasonFits(before, after, reason)).to.equal(fits);
    });
});
