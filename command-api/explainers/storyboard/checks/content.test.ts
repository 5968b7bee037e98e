import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { expect } from "chai";
import { contentFindings } from "./content.ts";

const sourceId = "source-1";
function found(layout: Scene["layout"], content: object, text: string): string {
  const scene = { layout, content, sourceIds: [sourceId], narration: "Look." } as unknown as Scene;
  return contentFindings(scene, [text], [{ sourceId, text }])
    .map(({ detail }) => detail)
    .join(" ");
}

describe("what scenes show", () => {
  const rain = "Rain fills the rivers.";
  const nodes = (...all: [key: string, label: string][]) => all.map(([key, label]) => ({ key, label, cue: "" }));
  const edge = (more: object = {}) => ({ from: "a", to: "b", label: "", cue: "", quote: rain, ...more });

  it("has no two boxes with one key, and none that say the same", () => {
    const diagram = (boxes: object[]) => found("diagram", { kind: "flow", nodes: boxes, edges: [edge()] }, rain);
    expect(diagram(nodes(["a", "Rain"], ["b", "Rivers"], ["a", "Sea"]))).to.match(/have the same key/);
    expect(diagram(nodes(["a", "Rain"], ["b", "rain"]))).to.match(/Two boxes of the diagram say the same/);
  });

  it("has no word at an arrow that its quote does not have, and no arrow without a quote", () => {
    const build = (more: object) =>
      found("build", { kind: "flow", nodes: nodes(["a", "Rain"], ["b", "Rivers"]), edges: [edge(more)], focus: [] }, rain);
    expect(build({ label: "fills" })).to.equal("");
    expect(build({ label: "empties" })).to.match(/“empties” at the arrow/);
    expect(build({ quote: "" })).to.match(/^No quote, and no diagram/);
  });

  it("derives nothing that numbers refute, though the page has both formulas", () => {
    const steps = ["x = 2", "x = 3"].map((tex) => ({ tex, reason: "", cue: "" }));
    expect(found("derive", { steps }, "First $x = 2$, later $x = 3$.")).to.match(/Step 2 does not follow/);
  });

  it("marks on a curve what is there, where the page or the curve says so", () => {
    const plot = (x: number, label: string) =>
      found(
        "plot",
        { x: { label: "x", from: 0, to: 4 }, yLabel: "", functions: [{ expression: "x^2 - 1", label: "" }], marks: [{ x, label }] },
        "The curve $y = x^2 - 1$.",
      );
    expect(plot(1, "zero at 1")).to.equal("");
    expect(plot(1, "x = 3")).to.match(/A mark at 1 says “x = 3”/);
    expect(plot(3.3, "here")).to.match(/say nothing of 3.3/);
  });

  it("has rows as long as their head, and code that can be run", () => {
    const table = { columns: ["River", "Length"], rows: [["Elbe"]], sortBy: -1, bars: -1 };
    expect(found("table", table, "River\tLength\nElbe\t1094")).to.match(/more or fewer cells/);
    expect(found("trace", { code: "python x.py", start: "", printed: "" }, "$ python x.py")).to.not.match(/does not stand|^$/);
  });
});
