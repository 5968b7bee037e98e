import { expect } from "chai";
import { unfoundedFindings } from "./formula.ts";

const texts = [
  "Energy is $E = mc^2$, and $$R(t) = e^{-t / S}.$$ A map keeps sums: $T(v + w) = T(v) + T(w)$.",
  "The equation $\\lambda^2 - 4\\lambda + 3 = 0$ has two solutions, and $\\underbrace{\\dim \\ker T}_{\\text{crushed}} + r = n$.",
  "Elsewhere: $E = mc^4$. Logic has p ∧ q → q, and $x = 3$, and $\\det(A - \\lambda I) = 0$.",
];
const found = (...terms: string[]): string =>
  unfoundedFindings(
    terms.map((tex) => ({ tex })),
    texts,
  )
    .map(({ detail }) => detail)
    .join(" ");

describe("formulas that are shown", () => {
  const altered = [
    ["E", "= mc^3"],
    ["E = mc"],
    ["E", "=", "mc"],
    ["= mc^2"],
    ["R(t)", "= e^{+t/S}"],
    ["R(t)", "= e^{-t}/S"],
    ["R(t) = e^{-t}"],
    ["R(t) = e"],
    ["R(S)", "= e^{-S / t}"],
    ["T(v + w)", "= T(v)", "- T(w)"],
    ["T(v + w)", "= T(v)"],
    ["T(v + w) = T(v) T(w)"],
    ["v + w = T(v) + T(w)"],
    ["\\lambda^2 - 4\\lambda + 4", "= 0"],
    ["\\lambda^2 - 4\\lambda", "= 0"],
    ["\\lambda^2 + 3 = 0"],
    ["\\lambda^2 - 4\\lambda - 3"],
    ["\\lambda - 4\\lambda + 3 = 0"],
    ["\\det(A + \\lambda I) = 0"],
    ["\\det(A - \\lambda) = 0"],
    ["\\frac{d}{dx} x^2 = x"],
    ["\\frac{dy}{dx} = \\frac{y}{x}"],
    ["f(a + b) = f(a) + f(b)"],
    ["f(g(x)) = g(f(x))"],
    ["\\sin 2x = x \\sin 2"],
  ];
  for (const terms of altered)
    it(`are refused where they are the course's but for a part: ${terms.join(" ")}`, () =>
      expect(found(...terms)).to.match(/is not the one of the course|neither stands on the page/));

  it("are refused where the page has no such formula, and nothing gives it", () => {
    expect(found("a^2 + b^2", "= c^2")).to.match(/neither stands on the page nor can be computed/);
    expect(found("x = 7")).to.match(/is not the one of the course: x = 3/);
    expect(found("(a + b)^2 = a^2 + b^2")).to.match(/neither stands on the page/);
  });

  it("are refused with the formula that they are most like", () => {
    expect(found("E = mc")).to.equal("The formula E = mc is not the one of the course: E = mc^2");
  });

  const right = [
    ["E", "= m \\cdot c^{2}"],
    ["mc^2 = E"],
    ["R(t) = e^{-t/S}"],
    ["T\\left(v + w\\right)", "= T(v)", "+ T(w)"],
    ["\\lambda^2 - 4\\lambda + 3"],
    ["0 = 3 - 4\\lambda + \\lambda^2"],
    ["(\\lambda - 1)(\\lambda - 3) = 0"],
    ["E = mc^4"],
    ["E = mc^2", "x = 3"],
    ["p \\land q", "\\to q"],
    ["\\dim \\ker T {}+ r {}= n"],
    ["x = 3"],
    ["v"],
    ["(a + b)^2", "= a^2 + 2ab + b^2"],
    ["2 \\cdot 3 = 6"],
  ];
  for (const terms of right) it(`pass otherwise: ${terms.join(" ")}`, () => expect(found(...terms)).to.equal(""));
});
