import type { LineItem, Placed } from "@colloquy/schemas/explainers/placed.ts";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { saidWords, silentSpeech } from "@colloquy/schemas/explainers/timing.ts";
import { expect } from "chai";
import { placeScene } from "./place.ts";
import { aspects, samples, sceneOf } from "./testing/scenes.ts";

const seconds = 12;
function place(scene: Scene, aspect: (typeof aspects)[number] = "16:9"): Placed {
  const placed = placeScene(scene, { aspect, language: "en", seconds });
  return placed.kind === "placed" ? placed : expect.fail(placed.findings.join(" "));
}
const marksOf = ({ items }: Placed): LineItem[] => items.filter((item) => item.kind === "line").filter(({ mark }) => mark === true);
const saidAt = (scene: Scene, word: string): number => {
  const said = saidWords(scene.narration, silentSpeech(scene, seconds * 1_000));
  return said.findLast(({ text }) => text === word)?.ms ?? expect.fail(`${word} is not said`);
};

describe("attention in a picture that would stand still", () => {
  const again = sceneOf(
    "points",
    { heading: "Pipes", points: ["It joins commands", "Both run"] },
    "It joins commands. Both run. So what does it do when both of them are there? It hands on lines, and the commands wait.",
  );

  for (const aspect of aspects)
    it(`goes to a word on screen when it is said again (${aspect})`, () => {
      const placed = place(again, aspect);
      const text = placed.items.find((item) => item.kind === "text" && item.text.includes("commands"));
      const at = saidAt(again, "commands");
      const mark = marksOf(placed).find(({ from }) => Math.abs(from - at) < 200) ?? expect.fail("nothing is underlined");
      expect(mark.box.x + mark.box.width).to.be.closeTo((text?.box.x ?? 0) + (text?.box.width ?? 0), 6);
      expect(mark.box.width).to.be.below((text?.box.width ?? 0) * 0.7);
    });

  it("stays with what came last for as long as it is spoken of in other words", () => {
    const marks = marksOf(
      place(
        sceneOf(
          "points",
          { heading: "Pipes", points: ["Lines travel on"] },
          "Now see how they go from one to the next, at once and without a file that would have to be read again.",
        ),
      ),
    );
    expect(marks.reduce((sum, { takes }) => sum + takes, 0)).to.be.above(2_000);
  });

  it("stays away from the numbers of a plane while the words speak of something else", () => {
    const nothing = { vectors: [], lines: [], points: [], polygons: [], curves: [], focus: [] };
    const maps = [{ name: "S", a: 1, b: 1, c: 0, d: 1, cue: "leans" }];
    const scene = sceneOf(
      "plane",
      { heading: "A shear", centre: { x: 0, y: 0 }, extent: 3, ...nothing, maps },
      "Here it leans, but its lines stay apart from each other as they were before, and nothing else of it is changed.",
    );
    expect(marksOf(place(scene))).to.deep.equal([]);
  });

  const lane = (label: string) => ({ label, gaps: false, marks: [{ at: 1, kind: 0, cue: "Read" }] });
  const timeline = (label: string) =>
    sceneOf(
      "timeline",
      { heading: "How it is done", unit: "days", until: 4, kinds: ["Read"], lanes: [lane(label)] },
      "Read it once and put it aside for a while. Then say which method is the one that was called for, and how it is done, days after you read.",
    );

  it("is on no heading, no unit and no legend, whatever is said", () => {
    expect(marksOf(place(timeline("A section")))).to.deep.equal([]);
  });

  it("is on a label of which most is said, and on none that only shares a word", () => {
    expect(marksOf(place(timeline("Method"))).length).to.equal(1);
    expect(marksOf(place(timeline("The following method")))).to.deep.equal([]);
  });

  it("is on one thing at a time", () => {
    for (const scene of samples.flatMap(({ scenes }) => scenes)) {
      const placed = placeScene(scene, { aspect: "16:9", language: "en", seconds });
      if (placed.kind === "refused") continue;
      const marks = marksOf(placed).toSorted((one, other) => one.from - other.from);
      for (const [index, { part, from }] of marks.entries()) {
        const before = marks.slice(0, index).filter((one) => one.part !== part && (one.until ?? Number.POSITIVE_INFINITY) > from);
        expect(before.length, scene.sceneId).to.equal(0);
      }
    }
  });

  it("is on nothing in a question", () => {
    const question = sceneOf("question", { question: "What does a pipe join?", choices: ["commands", "files"] }, "What does a pipe join?");
    expect(marksOf(place(question)).length).to.equal(0);
  });
});
