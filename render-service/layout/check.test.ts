import { expect } from "chai";
import { checkLayout, layoutTimedOut } from "./check.ts";
import { samples, sceneOf } from "./testing/scenes.ts";

describe("checking the layout of a storyboard", function () {
  this.timeout(120_000);
  const scenes = samples[0]?.scenes ?? [];

  it("finds nothing in what can be drawn", async () => {
    expect(await checkLayout(scenes, { language: "en", withinMs: 60_000 })).to.deep.equal([]);
  });

  it("names the scene and what is wrong with it, once for both aspects", async () => {
    const wrong = sceneOf("points", { heading: "Signs", points: ["漢"] });
    expect(await checkLayout([...scenes.slice(0, 1), wrong], { language: "en", withinMs: 60_000 })).to.deep.equal([
      { sceneId: wrong.sceneId, detail: "“漢” has signs the film's fonts do not have: 漢" },
    ]);
  });

  it("answers in time whatever a scene takes, and works on afterwards", async () => {
    const [late, again] = await Promise.all([
      checkLayout(scenes, { language: "en", withinMs: 1 }),
      checkLayout(scenes.slice(0, 1), { language: "en", withinMs: 60_000 }),
    ]);
    expect(late.map(({ detail }) => detail)).to.include(layoutTimedOut);
    expect(again).to.deep.equal([]);
  });

  it("ends a scene that takes more memory than it may, long before its time is over, and works on afterwards", async () => {
    const greedy = sceneOf("title", { heading: "a ".repeat(30_000_000), subtitle: "" });
    const [tooMuch, again] = await Promise.all([
      checkLayout([greedy], { language: "en", withinMs: 600_000 }),
      checkLayout(scenes.slice(0, 1), { language: "en", withinMs: 60_000 }),
    ]);
    expect(tooMuch).to.deep.equal([{ sceneId: greedy.sceneId, detail: layoutTimedOut }]);
    expect(again).to.deep.equal([]);
  });
});
