import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { expect } from "chai";
import { vectorColours } from "./vector-colours.ts";

const plane = (...names: string[]): Scene =>
  ({
    layout: "plane",
    sceneId: `scene-${names.join("-")}`,
    narration: "Here they are.",
    quotes: [],
    content: { vectors: names.map((name) => ({ name })) },
  }) as unknown as Scene;
const title = { layout: "title", sceneId: "scene-title", narration: "Which?", quotes: [], content: {} } as unknown as Scene;

describe("the colours of vectors in a film", () => {
  it("are those of their order in the first plane", () => {
    expect(vectorColours([title, plane("v", "w", "s")])).to.deep.equal([undefined, undefined]);
  });

  it("stay with a name from plane to plane, and what is new takes a free one", () => {
    expect(vectorColours([plane("v", "w"), title, plane("t", "v")])).to.deep.equal([undefined, undefined, { t: 1, v: 0 }]);
  });

  it("belong to the name that was seen last where two had the same", () => {
    expect(vectorColours([plane("v", "w"), plane("a", "b"), plane("v", "b", "a")])).to.deep.equal([
      undefined,
      undefined,
      { v: 2, b: 1, a: 0 },
    ]);
  });
});
