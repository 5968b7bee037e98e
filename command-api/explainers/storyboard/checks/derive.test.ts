import type { SceneOf } from "@colloquy/schemas/explainers/storyboard.ts";
import { expect } from "chai";
import { contentFindings } from "./content.ts";

const text = "First $A v = \\lambda v$, then $(A - \\lambda I)v = 0$, and so $\\det(A - \\lambda I) = 0$.";
function found(...steps: string[]): string {
  const content = { heading: "Steps", steps: steps.map((tex) => ({ tex, reason: "", cue: "" })) };
  return contentFindings({ layout: "derive", content } as unknown as SceneOf<"derive">, [text], [])
    .map(({ detail }) => detail)
    .join(" ");
}

describe("the check of a derivation that numbers cannot try", () => {
  it("takes the steps of the page in its order", () => {
    expect(found("A v = \\lambda v", "(A - \\lambda I)v = 0", "\\det(A - \\lambda I) = 0")).to.equal("");
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
