import type { SceneOf } from "@colloquy/schemas/explainers/storyboard.ts";
import { expect } from "chai";
import { contentFindings } from "./content.ts";

const text = "First $A v = \\lambda v$, then $(A - \\lambda I)v = 0$, and so $\\det(A - \\lambda I) = 0$.";
const found = (...steps: string[]): string => foundIn(text, ...steps);
function foundIn(page: string, ...steps: string[]): string {
  const content = { heading: "Steps", steps: steps.map((tex) => ({ tex, reason: "", cue: "" })) };
  return contentFindings({ layout: "derive", content } as unknown as SceneOf<"derive">, [page], [])
    .map(({ detail }) => detail)
    .join(" ");
}

describe("the check of a derivation that numbers cannot try", () => {
  it("takes the steps of the page in its order", () => {
    expect(found("A v = \\lambda v", "(A - \\lambda I)v = 0", "\\det(A - \\lambda I) = 0")).to.equal("");
  });
  it("takes a derivative, and equations that hold for some numbers, as the page has them", () => {
    const page = "We have $\\frac{d}{dx} x^2$ and it is $2x$. From $c^2 = a^2 + b^2$ follows $c = \\sqrt{a^2 + b^2}$.";
    expect(foundIn(page, "\\frac{d}{dx} x^2", "2x")).to.equal("");
    expect(foundIn(page, "\\frac{d}{dx} x^2", "x")).to.match(/neither stands in the passages nor can be computed/);
    expect(foundIn(page, "c^2 = a^2 + b^2", "c = \\sqrt{a^2 + b^2}")).to.equal("");
    expect(foundIn(page, "c^2 = a^2 + b^2", "c = a + b")).to.match(/Step 2 does not follow/);
  });
  it("refuses them in another order", () => {
    expect(found("(A - \\lambda I)v = 0", "A v = \\lambda v")).to.match(
      /Step 2 cannot be computed, and in the passages it does not come after/,
    );
  });
  it("refuses a step that the page does not have", () => {
    expect(found("A v = \\lambda v", "(A + \\lambda I)v = 0")).to.match(/neither stands in the passages nor can be computed/);
  });
});
