import type { SceneOf } from "@colloquy/schemas/explainers/storyboard.ts";
import { expect } from "chai";
import { contentFindings } from "./content.ts";

const page = [
  "The chance falls as $R(t) = e^{-t / S}$. In 3 steps, 7 people tried.",
  "stability = 2.0  # days\ntarget = 0.9\nstability *= 2.5",
];
const right = { stability: 2, growth: 2.5, target: 0.9, recalls: [{ cue: "" }], marks: [{ at: 2, cue: "" }] };
function found(change: object, texts = page): string {
  const content = { heading: "Forgetting", unit: "days", until: 14, cue: "", ...right, ...change };
  return contentFindings({ layout: "forgetting", content } as unknown as SceneOf<"forgetting">, texts, [])
    .map(({ detail }) => detail)
    .join(" ");
}

describe("the check of a curve of forgetting", () => {
  it("takes the numbers that the page gives its model", () => {
    expect(found({})).to.equal("");
    expect(found({}, ["$e^{-t/S}$, S of 2 days, 2.5 times as long, at 90 %."])).to.equal("");
    expect(found({ recalls: [], growth: 9, target: 0.3 }), "what is not drawn").to.equal("");
  });

  for (const [change, number] of [
    [{ stability: 3 }, "3"],
    [{ stability: 7 }, "7"],
    [{ growth: 2 }, "2"],
    [{ target: 0.8 }, "0.8"],
    [{ marks: [{ at: 7, cue: "" }] }, "7"],
  ] as const)
    it(`refuses a number that the page has of something else, or not at all: ${JSON.stringify(change)}`, () =>
      expect(found(change)).to.equal(`The passages of the scene do not give the model the number ${number}.`));

  it("refuses the curve where the page has none", () => {
    expect(found({}, page.slice(1))).to.match(/write no curve of forgetting/);
  });
});
