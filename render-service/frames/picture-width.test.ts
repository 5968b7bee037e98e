import type { Picture } from "@colloquy/schemas/explainers/storyboard.ts";
import { expect } from "chai";
import { placeScene } from "../layout/place.ts";
import { aspects, samples, sceneOf } from "../layout/testing/scenes.ts";
import { widthOf } from "./picture-width.ts";

const narration = "Go near to it.";
const base = samples.flatMap(({ scenes }) => scenes.flatMap((scene) => (scene.layout === "figure" ? scene.content.picture : [])))[0];
const pictureOf = (width: number, height: number): Picture => ({ ...(base as Picture), textSize: 0, width, height });
const sceneWith = (picture: Picture, side: number) =>
  sceneOf(
    "figure",
    { heading: "A", picture, parts: [], zooms: [{ region: { x: 0, y: 0, width: side, height: side }, cue: "Go near" }], callouts: [] },
    narration,
  );

describe("the width of a drawn SVG", () => {
  for (const [width, height] of [
    [1_600, 400],
    [480, 320],
    [400, 400],
  ] as const)
    it(`is as many pixels as a film at 1080p shows of it (${width} by ${height})`, () => {
      const picture = pictureOf(width, height);
      for (const aspect of aspects) {
        const placed = placeScene(sceneWith(picture, 0.8), { aspect, language: "en", seconds: 8 });
        if (placed.kind === "refused") return expect.fail(placed.findings.join(" "));
        const shown = placed.items.find((item) => item.kind === "picture")?.box.width ?? 0;
        expect(widthOf([sceneWith(picture, 0.8)], picture)).to.be.at.least((shown * 1.5) / 0.8 - 1);
      }
    });

  it("grows as the camera goes nearer, within the memory of a film", () => {
    const picture = pictureOf(480, 320);
    expect(widthOf([sceneWith(picture, 0.5)], picture)).to.be.closeTo(1_980, 1);
    expect(widthOf([sceneWith(picture, 0.2)], picture) ** 2 / 1.5).to.be.at.most(5_242_880);
  });
});
