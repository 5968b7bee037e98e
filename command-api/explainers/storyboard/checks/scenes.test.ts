import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { expect } from "chai";
import { sceneFindings } from "./scenes.ts";

const pipes = {
  sourceId: "source-pipes-1",
  text: "The vertical bar is called a pipe.\nIt hands the output of the command on the left to the command on the right.\n$ sort -n lengths.txt | head -n 1\n  9  methane.pdb",
};
const passages = [
  pipes,
  { sourceId: "source-math1", text: "Here $\\begin{pmatrix} a \\\\ b \\end{pmatrix} = \\{ x \\}$." },
  { sourceId: "source-other1", text: "Forgetting a little, and then recalling, is how remembering is built." },
];
const said = "The vertical bar between two commands is called a pipe, and it hands on what the left one writes.";
const base = {
  seconds: 0,
  narration: said,
  sourceIds: [pipes.sourceId],
  quotes: [{ sourceId: pipes.sourceId, quote: "The vertical bar is called a pipe." }],
};
const points = (sceneId: string, change: object = {}): Scene =>
  ({ ...base, sceneId, layout: "points", content: { heading: "The pipe", points: ["from left to right"] }, ...change }) as Scene;
const film = (...middle: Scene[]): Scene[] => [
  { ...base, sceneId: "scene-title", layout: "title", content: { heading: "Pipes", subtitle: "" } },
  ...middle,
  {
    ...base,
    sceneId: "scene-question",
    layout: "question",
    narration: "Which answer is right?",
    content: { question: "What does a pipe hand on?", choices: ["the output", "the name"] },
  },
];
const four = [1, 2, 3, 4].map((number) => points(`scene-${number}`));
const withOne = (change: object): Scene[] => film(points("scene-1", change), ...four.slice(1));
const found = (scenes: Scene[]): string[] =>
  sceneFindings(scenes, passages).map(({ problem, sceneId }) => `${problem} ${sceneId ?? "film"}`);

describe("the application's look at the scenes of a film", () => {
  it("finds nothing with scenes that stand on their sources", () => {
    expect(sceneFindings(film(...four), passages)).to.deep.equal([]);
  });

  it("wants a title first, a question last, four to seven scenes between, each once", () => {
    expect(found(film(...four).slice(1))).to.include("order film");
    expect(found(film(...four).slice(0, -1))).to.include("order film");
    expect(found(film(...four.slice(1)))).to.include("order film");
    expect(found(film(...four, points("scene-1")))).to.include("order film");
    const [title] = film();
    expect(found(film(...four, { ...(title as Scene), sceneId: "scene-5" }))).to.include("order scene-5");
  });

  it("reckons 30 to 60 seconds from what is said and read", () => {
    const brief = { narration: "A pipe." };
    expect(found(film(...four.map(({ sceneId }) => points(sceneId, brief))))).to.deep.equal(["too_short film"]);
    const long = { narration: `${said} ${said.replace("vertical", "upright")}` };
    expect(found(film(...four.map(({ sceneId }) => points(sceneId, long))))).to.deep.equal(["too_long film"]);
  });

  it("wants no more shown than can be read while it is spoken of, and a title that is read at a glance", () => {
    const lines = Array.from({ length: 12 }, () => "$ sort -n lengths.txt | head -n 1");
    const code = (count: number) =>
      sceneFindings(
        withOne({
          layout: "code",
          content: { heading: "Both", language: "bash", code: lines.slice(0, count).join("\n"), steps: [{ from: 1, to: 1, label: "" }] },
        }),
        passages,
      ).filter(({ sceneId }) => sceneId !== null);
    expect(code(4)).to.deep.equal([]);
    expect(code(12).map(({ problem, sceneId }) => `${problem} ${sceneId}`)).to.deep.equal(["too_long scene-1"]);
    expect(code(12)[0]?.detail).to.match(/^What it shows takes \d+\.\d seconds to read, and while it is spoken of there are \d+\.\d:/);
    const [title, ...others] = film(...four);
    const headed = (heading: string) => found([{ ...title, content: { heading, subtitle: "" } } as Scene, ...others]);
    expect(headed("t".repeat(64))).to.deep.equal([]);
    expect(headed("t".repeat(65))).to.deep.equal(["too_long scene-title"]);
  });

  it("wants each quote to stand in the source it names, white space aside", () => {
    const quoting = (quote: string, sourceId = pipes.sourceId) => found(withOne({ quotes: [{ sourceId, quote }] }));
    expect(quoting("is called a\n  pipe. It hands")).to.deep.equal([]);
    expect(quoting("is called\u200b a pi\u00adpe. It hands"), "what nobody sees is told to no model").to.deep.equal([]);
    expect(quoting("The vertical line is called a pipe.")).to.deep.equal(["misquoted scene-1"]);
    expect(quoting("bar")).to.deep.equal(["misquoted scene-1"]);
    expect(quoting("recalling, is how remembering", "source-other1")).to.deep.equal(["misquoted scene-1"]);
    expect(found(withOne({ sourceIds: [pipes.sourceId, "source-nowhere"] }))).to.deep.equal(["unsupported scene-1"]);
  });

  it("refuses narration on screen, half sentences and signs that cannot be seen", () => {
    const shown = (point: string) => found(withOne({ content: { heading: "The pipe", points: [point] } }));
    expect(shown(said.toUpperCase())).to.deep.equal(["redundant scene-1"]);
    expect(shown("it hands on what the left one writes")).to.deep.equal([]);
    expect(found(withOne({ narration: said.slice(0, -1) }))).to.deep.equal(["unclear scene-1"]);
    for (const hidden of ["from left\u202e to right", "so\u00adft", "in\u{e0074} tags", "two\nlines"])
      expect(shown(hidden), hidden).to.deep.equal(["unclear scene-1"]);
    expect(shown("می\u200cخواهم"), "what writes a language").to.deep.equal([]);
  });

  it("shows no line of code that the sources do not have, and highlights no line that is not there", () => {
    const code = (text: string, steps = [{ from: 1, to: 1, label: "" }]) =>
      found(withOne({ layout: "code", content: { heading: "Both", language: "bash", code: text, steps } }));
    expect(code("$ sort -n lengths.txt | head -n 1\n  9  methane.pdb", [{ from: 1, to: 2, label: "" }])).to.deep.equal([]);
    expect(code("$ rm -r lengths.txt")).to.deep.equal(["unsupported scene-1"]);
    expect(code("$ sort -n lengths.txt | head -n 1", [{ from: 1, to: 2, label: "" }])).to.deep.equal(["unclear scene-1"]);
    expect(code("$ sort -n lengths.txt | head -n 1", [{ from: 2, to: 1, label: "" }])).to.deep.equal(["unclear scene-1"]);
  });

  it("wants every box of a diagram to be there and connected", () => {
    const nodes = ["vertical", "pipe", "bar"].map((label, index) => ({ key: "abc".charAt(index), label }));
    const diagram = (edges: [string, string][], boxes = nodes) =>
      found(
        withOne({
          layout: "diagram",
          content: { heading: "Flow", kind: "flow", nodes: boxes, edges: edges.map(([from, to]) => ({ from, to, label: "" })) },
        }),
      );
    expect(
      diagram([
        ["a", "b"],
        ["c", "b"],
      ]),
    ).to.deep.equal([]);
    expect(diagram([["a", "b"]])).to.deep.equal(["unclear scene-1"]);
    expect(
      diagram([
        ["a", "b"],
        ["b", "d"],
      ]),
    ).to.deep.equal(["unclear scene-1"]);
    expect(
      diagram([
        ["a", "b"],
        ["b", "c"],
        ["c", "c"],
      ]),
    ).to.deep.equal(["unclear scene-1"]);
    expect(diagram([["a", "b"]], [nodes[0], nodes[0]] as typeof nodes)).to.deep.equal(["unclear scene-1"]);
  });

  it("takes terms of a formula that are whole and reach nowhere", () => {
    const formula = (...terms: string[]) =>
      found(withOne({ layout: "formula", content: { heading: "Rule", terms: terms.map((tex) => ({ tex, label: "" })) } }));
    expect(formula("\\begin{pmatrix} a \\\\ b \\end{pmatrix}", "= \\left\\{ x \\right\\}")).to.deep.equal([]);
    for (const tex of ["\\frac{a", "a}", "\\begin{pmatrix} a", "\\left( a", "\\href{x}{y}", "\\def\\x{\\x\\x}", "\\input{/etc/passwd}"])
      expect(formula(tex), tex).to.deep.equal(["unclear scene-1"]);
  });

  it("plots what can be read and stands in its passages, between ends that lie apart", () => {
    const plot = (expression: string, from = 0, to = 4, at = 1) =>
      sceneFindings(
        withOne({
          layout: "plot",
          sourceIds: [pipes.sourceId, "source-curve"],
          content: {
            heading: "Curve",
            x: { label: "x", from, to },
            yLabel: "",
            functions: [{ expression, label: "" }],
            marks: [{ x: at, label: "here" }],
          },
        }),
        [...passages, { sourceId: "source-curve", text: "After 1 day a memory has faded: $R(t) = e^{-t/2}$." }],
      ).map(({ problem, sceneId }) => `${problem} ${sceneId ?? "film"}`);
    expect(plot("exp(-x/2)")).to.deep.equal([]);
    expect(plot("exp(-x/3)")).to.deep.equal(["unsupported scene-1"]);
    expect(plot("constructor(x)")).to.deep.equal(["unclear scene-1"]);
    expect(plot("x", 4, 0)).to.deep.equal(["unclear scene-1"]);
    expect(plot("exp(-x/2)", 0, 4, 9)).to.include("unclear scene-1");
  });

  it("tells choices, points and the sides of a comparison apart", () => {
    const [title, ...rest] = film(...four);
    const question = { ...rest.at(-1), content: { question: "Which?", choices: ["The output", "the output."] } } as Scene;
    expect(found([title as Scene, ...rest.slice(0, -1), question])).to.deep.equal(["unclear scene-question"]);
    const side = (heading: string, point: string) => ({ title: heading, points: [point] });
    const compare = (left: object, right: object) => found(withOne({ layout: "compare", content: { heading: "Two", left, right } }));
    expect(compare(side("sort", "by letters"), side("sort -n", "by numbers"))).to.deep.equal([]);
    expect(compare(side("sort", "by letters"), side("Sort", "by numbers"))).to.deep.equal(["unclear scene-1"]);
  });
});
