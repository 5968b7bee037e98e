import { expect } from "chai";
import { figureScenes, picturesIn } from "./figures.ts";

const text = "The root directory contains sub-directories titled bin, data and tmp";
const passage = { id: "s1", title: "The file system", trail: ["Course", "Files"], kind: "figure", text };

describe("pictures of a course in films", () => {
  it("are pointed at where their description names words that stand in them, in its order", () => {
    const [scene] = figureScenes([], [passage], new Map([["s1", ["tmp", "/", "bin", "Users", "data"]]]));
    expect(scene?.narration).to.equal(`${text}.`);
    expect(scene?.content.figure?.callouts).to.deep.equal([
      { part: "bin", label: "bin", cue: "bin, data" },
      { part: "data", label: "data", cue: "data and" },
      { part: "tmp", label: "tmp", cue: "tmp." },
    ]);
  });

  it("are pointed at by names of code, too", () => {
    const named = { ...passage, text: "The label weight_kg is moved and weight_lb (pounds) is left alone" };
    const [scene] = figureScenes([], [named], new Map([["s1", ["weight_kg", "weight_lb", "(pounds)"]]]));
    expect(scene?.content.figure?.callouts.map(({ part }) => part)).to.include.members(["weight_kg", "weight_lb"]);
  });

  it("are left out where nothing names two of their words", () => {
    expect(figureScenes([], [passage], new Map([["s1", ["bin", "Users"]]]))).to.deep.equal([]);
    expect(figureScenes([], [passage], new Map())).to.deep.equal([]);
  });

  it("are left out where their words could only be read from near", () => {
    const whole = '<pictures>[{"passage":"s1","parts":["bin"],"zoom":1},{"passage":"s2","parts":["tmp"],"zoom":1.4}]</pictures>';
    expect([...picturesIn({ passages: [], history: [], question: "", whole })]).to.deep.equal([["s1", ["bin"]]]);
  });
});
