import { expect } from "chai";
import { onScreen } from "./on-screen.ts";
import { screenLines } from "./screen-line.ts";
import type { Scene, SceneLayout } from "./storyboard.ts";

const shows = (layout: SceneLayout, content: object): string[] =>
  screenLines
    .parse(
      onScreen({
        sceneId: "scene-1",
        seconds: 5,
        narration: "It is said.",
        sourceIds: [],
        quotes: [],
        layout,
        content,
      } as unknown as Scene),
    )
    .map(({ as, text, label }) => `${as}: ${text}${label && ` (${label})`}`);
const heading = "What it does";

describe("what a scene has on screen", () => {
  const nodes = ["a", "b", "c"].map((key) => ({ key, label: key.toUpperCase() }));
  const cases: [SceneLayout, object, string[]][] = [
    ["title", { heading, subtitle: "" }, []],
    ["title", { heading, subtitle: "and why" }, ["words: and why"]],
    ["points", { heading, points: ["one", "two"] }, ["words: one", "words: two"]],
    ["recap", { heading, points: ["one"] }, ["words: one"]],
    [
      "formula",
      {
        heading,
        terms: [
          { tex: "A v", label: "the map" },
          { tex: "= v", label: "" },
        ],
      },
      ["formula: A v (the map)", "formula: = v"],
    ],
    ["diagram", { heading, kind: "flow", nodes, edges: [{ from: "a", to: "b", label: "leads" }] }, ["words: A → B (leads)", "words: C"]],
    [
      "code",
      {
        heading,
        language: "bash",
        code: "ls\nwc",
        steps: [
          { from: 1, to: 1, label: "lists" },
          { from: 2, to: 2, label: "" },
        ],
      },
      ["code: ls\nwc", "words: lists"],
    ],
    [
      "compare",
      { heading, left: { title: "L", points: ["one"] }, right: { title: "R", points: ["two"] } },
      ["words: L: one", "words: R: two"],
    ],
    [
      "plot",
      {
        heading,
        x: { label: "t", from: 0, to: 2 },
        yLabel: "height",
        functions: [{ expression: "x^2", label: "fall" }],
        marks: [{ x: 1, label: "here" }],
      },
      ["words: x^2 (fall)", "words: t = 1: here", "words: t", "words: height"],
    ],
    ["question", { question: "Which?", choices: ["this", "that"] }, ["words: this", "words: that"]],
  ];
  for (const [layout, content, lines] of cases)
    it(`of ${layout}: ${lines.length} lines`, () => expect(shows(layout, content)).to.deep.equal(lines));
});
