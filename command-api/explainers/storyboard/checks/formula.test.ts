import { expect } from "chai";
import { alteredFindings } from "./formula.ts";

const texts = [
  "Energy is $E = mc^2$, and $$R(t) = e^{-t / S}.$$ A map keeps sums: $T(v + w) = T(v) + T(w)$.",
  "The equation $\\lambda^2 - 4\\lambda + 3 = 0$ has two solutions.",
];
const found = (...terms: string[]): string =>
  alteredFindings(
    terms.map((tex) => ({ tex })),
    texts,
    [...texts, "Elsewhere: $E = mc^4$."],
  )
    .map(({ detail }) => detail)
    .join(" ");

describe("formulas that are shown", () => {
  const altered = [
    ["E", "= mc^3"],
    ["R(t)", "= e^{+t/S}"],
    ["T(v + w)", "= T(v)", "- T(w)"],
    ["\\lambda^2 - 4\\lambda + 4", "= 0"],
    ["\\lambda^2 - 4\\lambda - 3"],
  ];
  for (const terms of altered)
    it(`are refused where they are the course's but for one sign: ${terms.join(" ")}`, () =>
      expect(found(...terms)).to.match(/is not the one of the course/));

  const right = [
    ["E", "= m \\cdot c^{2}"],
    ["R(t) = e^{-t/S}"],
    ["T\\left(v + w\\right)", "= T(v)", "+ T(w)"],
    ["\\lambda^2 - 4\\lambda + 3"],
    ["0 = 3 - 4\\lambda + \\lambda^2"],
    ["E = mc^4"],
    ["a^2 + b^2", "= c^2"],
  ];
  for (const terms of right) it(`pass otherwise: ${terms.join(" ")}`, () => expect(found(...terms)).to.equal(""));
});
