import { expect } from "chai";
import fc from "fast-check";
import { breakOf } from "./plane-breaks.ts";

describe("the break of a function", () => {
  it("is not where a function is as high on both sides of its top", () => {
    expect(breakOf((x) => -(x ** 2), [-0.0625, 0.0625], 1e-3)).to.equal(undefined);
    expect(breakOf((x) => -(x ** 2) * (1 + 1e-16 * x), [-0.06, 0.06000000000000001], 1e-3)).to.equal(undefined);
  });
  it("is not where rounding alone changes a sign", () => {
    expect(breakOf((x) => (x < 0.3 ? -1e-17 : 1e-17), [0, 1], 1e-3)).to.equal(undefined);
  });
  const smooth: [name: string, of: (x: number) => number][] = [
    ["sin 5x", (x) => Math.sin(5 * x)],
    ["x^3 - 2x", (x) => x ** 3 - 2 * x],
    ["e^x", Math.exp],
    ["200x - 17", (x) => 200 * x - 17],
    ["1 / (x^2 + 0.01)", (x) => 1 / (x ** 2 + 0.01)],
  ];
  for (const [name, of] of smooth)
    it(`is not found in ${name}`, () =>
      fc.assert(
        fc.property(fc.double({ min: -4, max: 4, noNaN: true }), fc.double({ min: 0.001, max: 0.4, noNaN: true }), (from, width) => {
          expect(breakOf(of, [from, from + width], 1e-3)).to.equal(undefined);
        }),
      ));
  it("is found wherever a pole or jump lies between the places", () =>
    fc.assert(
      fc.property(fc.double({ min: -1, max: 1, noNaN: true }), fc.double({ min: 0.001, max: 0.3, noNaN: true }), (at, width) => {
        for (const broken of [(x: number) => 0.001 / (x - at), (x: number) => x + (x < at ? 0 : 1), (x: number) => Math.sign(x - at)]) {
          const { before, after } = breakOf(broken, [at - width / 3, at + width], 1e-3) ?? { before: [], after: [] };
          expect(before.at(-1)).to.be.closeTo(at, 1e-9);
          expect(after[0]).to.be.closeTo(at, 1e-9);
        }
      }),
    ));
});
