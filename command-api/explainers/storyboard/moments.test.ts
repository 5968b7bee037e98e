import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { expect } from "chai";
import { momentsOf } from "./moments.ts";

const scene = (made: object): Scene =>
  ({ sceneId: "scene-1", seconds: 5, sourceIds: ["s"], quotes: [{ sourceId: "s", quote: "words" }], ...made }) as never;

describe("a scene as a viewer meets it", () => {
  const points = scene({
    layout: "points",
    narration: "First comes listing the files, and only then comes sorting them.",
    content: { heading: "Steps", points: ["Listing files", "Sorting them"] },
  });

  it("has each label with the words that it comes with", () => {
    const moments = momentsOf(points);
    const withSorting = moments.find(({ appears }) => appears.includes("Sorting them"));
    expect(withSorting?.said).to.match(/sorting them\.$/);
    expect(moments.find(({ appears }) => appears.includes("Listing files"))?.at).to.be.below(withSorting?.at ?? 0);
  });

  it("leaves no word of the narration out", () => {
    expect(
      momentsOf(points)
        .map(({ said }) => said)
        .filter(Boolean)
        .join(" "),
    ).to.equal(points.narration);
  });

  it("has cued things when their words are said", () => {
    const moments = momentsOf(
      scene({
        layout: "derive",
        narration: "Start with the product. Then divide by two.",
        content: {
          heading: "Solve",
          steps: [
            { tex: "2x = 4", reason: "given", cue: "" },
            { tex: "x = 2", reason: "divide by 2", cue: "divide by" },
          ],
        },
      }),
    );
    expect(moments.map(({ appears }) => appears)).to.deep.equal([
      ['steps: {"tex":"2x = 4","reason":"given"}'],
      ['steps: {"tex":"x = 2","reason":"divide by 2"}'],
    ]);
    expect(moments[1]?.said).to.match(/^divide by two/);
  });
});
