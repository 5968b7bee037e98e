import type { Picture, SceneOf } from "@colloquy/schemas/explainers/storyboard.ts";
import { expect } from "chai";
import { figureFindings } from "./figure.ts";

const picture: Picture = {
  sourceId: "source-fig",
  sha256: "a".repeat(64),
  type: "image/svg+xml",
  width: 480,
  height: 320,
  alt: "A plane and a line.",
  textSize: 16,
  signs: "",
};
const passages = [
  { sourceId: "source-far", text: "A distant remark." },
  { sourceId: "source-before", text: "The kernel is sent to zero." },
  { sourceId: "source-fig", text: "A plane and a line. Every point has a shadow.", picture },
  { sourceId: "source-after", text: "The image is reached." },
  { sourceId: "source-later", text: "A later remark." },
];
function found(
  labels: readonly string[],
  { shown = picture, sourceIds = ["source-fig"], on = passages as typeof passages | object[] } = {},
): string {
  const callouts = labels.map((label) => ({ at: { x: 0.5, y: 0.5 }, side: "top-left", label, cue: "" }));
  const scene = { sourceIds, content: { heading: "A figure", picture: shown, parts: [], zooms: [], callouts } };
  return figureFindings(scene as unknown as SceneOf<"figure">, on as typeof passages)
    .map(({ detail }) => detail)
    .join(" ");
}

describe("the check of a figure", () => {
  it("passes words of its description and of the text directly around it", () => {
    expect(found(["A line", "every point", "The kernel", "the image is reached"])).to.equal("");
  });

  it("refuses words that stand elsewhere, nowhere, or torn apart", () => {
    for (const label of ["distant remark", "later remark", "An invention", "kernel zero", "…"])
      expect(found([label]), label).to.match(/stands neither/u);
  });

  it("refuses a figure that is no source of the scene", () => {
    expect(found([], { sourceIds: ["source-before"] })).to.match(/without naming/u);
  });

  it("refuses what is no figure of the page, such as one for instructors", () => {
    expect(found([], { on: passages.filter(({ sourceId }) => sourceId !== "source-fig") })).to.match(/no figure of this page/u);
    expect(found([], { on: passages.map(({ picture: _, ...rest }) => rest) })).to.match(/no figure of this page/u);
  });

  it("refuses a picture that the page no longer has, or with a description of one's own", () => {
    expect(found([], { shown: { ...picture, sha256: "b".repeat(64) } })).to.match(/not the one/u);
    expect(found([], { shown: { ...picture, alt: "Something else." } })).to.match(/not the one/u);
  });
});
