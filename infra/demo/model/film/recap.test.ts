import { expect } from "chai";
import type { Passage } from "../segments.ts";
import { linesOf } from "./lines.ts";
import { recapScenes } from "./recap.ts";

const scenesOf = (...items: string[]) => scenesBeside([], ...items);
const scenesBeside = (passages: readonly Passage[], ...items: string[]) => {
  const text = items.map((item) => `- ${item}`).join("\n");
  const passage: Passage = { id: "s1", kind: "key-points", text, title: "Key points", trail: ["Course", "Files"] };
  return recapScenes(linesOf(passages), [...passages, passage], "What to keep").map(({ narration, content }) => ({
    narration,
    points: content.points,
  }));
};

describe("a recap of key points", () => {
  it("says each key point that it shows, and shows a long one as a note", () => {
    expect(scenesOf("The order matters; brackets do not.", "The columns of a matrix are the images of the basis vectors.")).to.deep.equal([
      {
        narration: "The order matters; brackets do not. The columns of a matrix are the images of the basis vectors.",
        points: ["The order matters; brackets do not", "Columns of a matrix: images of the basis vectors"],
      },
    ]);
  });

  it("shows what a command takes, and does not say it", () => {
    expect(scenesOf("`cp [old] [new]` copies a file.", "`mkdir [path]` creates a new directory.")).to.deep.equal([
      {
        narration: "cp copies a file. mkdir creates a new directory.",
        points: ["cp [old] [new] copies a file", "mkdir [path] creates a new directory"],
      },
    ]);
  });

  it("says of a key point on a function no sentence on another one", () => {
    const prose: Passage = {
      id: "s0",
      kind: "prose",
      text: "A table of tides goes from a long shape to a wide shape with the function widen().",
      title: "Shapes",
      trail: ["Course", "Shapes"],
    };
    const said = scenesBeside(
      [prose],
      "Use widen() so that a table of tides goes from long to wide shape.",
      "Use lengthen() so that a table of tides goes from wide to long shape.",
    ).map(({ narration }) => narration);
    expect(said).to.deep.equal([]);
  });

  it("leaves out a key point of which nothing shorter can be shown", () => {
    expect(scenesOf("The order matters.", "Only a map that keeps different vectors different can be undone by another one.")).to.deep.equal(
      [],
    );
  });
});
