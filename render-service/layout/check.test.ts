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

  const still = sceneOf(
    "number-line",
    {
      heading: "Near two",
      from: 0,
      to: 4,
      intervals: [{ inequality: "|x - 2| < 1", cue: "", endsCue: "" }],
      jumps: [],
      sequences: [],
      zoom: null,
    },
    "Whatever one may say of this, it is and stays what it is.",
  );

  it("refuses a scene that stands still for more than four seconds", async () => {
    const found = await checkLayout([still], { language: "en", withinMs: 60_000 });
    expect(found.map(({ detail }) => detail).join()).to.match(/^Nothing changes for \d\.\d seconds from/u);
    expect(await checkLayout([{ ...still, seconds: 4 }], { language: "en", withinMs: 60_000 })).to.deep.equal([]);
  });

  it("refuses a title that stands for more than three seconds", async () => {
    const title = sceneOf("title", { heading: "Pipes", subtitle: "" });
    const found = await checkLayout([{ ...title, seconds: 3.1 }], { language: "en", withinMs: 60_000 });
    expect(found.map(({ detail }) => detail)).to.deep.equal([
      "The title stands for 3.1 seconds, and at most for 3: shorten it, or say fewer words.",
    ]);
    expect(await checkLayout([{ ...title, seconds: 3 }], { language: "en", withinMs: 60_000 })).to.deep.equal([]);
  });

  it("refuses a film whose pictures change for less than 35 % of its time, at its stillest scene", async () => {
    const moving = sceneOf("points", { heading: "Pipes", points: ["A pipe joins two commands", "Both run at once"] });
    const film = [
      ...Array.from({ length: 5 }, (_, index) => ({ ...moving, sceneId: `scene-moving-${index}` })),
      { ...still, seconds: 3.9 },
    ];
    const question = sceneOf("question", { question: "Which?", choices: ["one", "two"] });
    expect(await checkLayout([...film, question], { language: "en", withinMs: 60_000 })).to.deep.equal([]);
    const [found] = await checkLayout([...film, { ...question, seconds: 60 }], { language: "en", withinMs: 60_000 });
    expect(found?.sceneId).to.equal(still.sceneId);
    expect(found?.detail).to.match(
      /^Pictures change for \d+ % of the film, and 35 % is the least\. This scene stands still for [\d.]+ of its 3\.9 seconds/u,
    );
  });

  it("names the scene that stands still for the most seconds, not one that is short", async () => {
    const moving = sceneOf("points", { heading: "Pipes", points: ["A pipe joins two commands", "Both run at once"] });
    const film = [
      ...Array.from({ length: 4 }, (_, index) => ({ ...moving, sceneId: `scene-moving-${index}` })),
      { ...moving, seconds: 7, sceneId: "scene-long" },
      { ...still, seconds: 2.5 },
      { ...sceneOf("question", { question: "Which?", choices: ["one", "two"] }), seconds: 60 },
    ];
    const [found] = await checkLayout(film, { language: "en", withinMs: 60_000 });
    expect(found?.sceneId).to.equal("scene-long");
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
