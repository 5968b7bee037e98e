import type { SceneOf } from "@colloquy/schemas/explainers/storyboard.ts";
import { expect } from "chai";
import { planeFindings } from "./plane.ts";

const texts = ["The points $(1, 2)$, $(2, 3)$ and $(4, 4)$, the arrows $v = (2, 1)$ and $w = (-1, 3)$, and the curve $y = x^2 - 3$."];
const none = { maps: [], vectors: [], lines: [], points: [], polygons: [], curves: [] };
function found(content: object): string {
  return planeFindings({ layout: "plane", content: { ...none, ...content } } as unknown as SceneOf<"plane">, texts)
    .map(({ detail }) => detail)
    .join(" ");
}
const at = (x: number, y: number) => ({ x, y });
const points = (...places: [number, number][]) => ({ points: places.map(([x, y]) => ({ at: at(x, y), cue: "" })) });
const curve = (expression: string, more: object = {}) => ({
  curves: [{ expression, cue: "", residuals: "none", residualsCue: "", becomes: null, ...more }],
});
const polygon = (...corners: [number, number][]) => ({
  polygons: [{ corners: corners.map(([x, y]) => at(x, y)), measured: true, cue: "" }],
});
const map = { name: "A", a: 0, b: -1, c: 1, d: 0, cue: "" };

describe("the check of a coordinate plane", () => {
  it("takes points that the passages have, and those on an axis or a diagonal", () => {
    expect(found(points([1, 2], [2, 3], [0, 7], [5, 5]))).to.equal("");
  });
  it("refuses a point that they do not have", () => {
    expect(found(points([1, 2], [2, 7]))).to.equal("The point (2, 7) does not stand in the passages of the scene.");
  });

  it("takes a curve that the passages write, and the line that fits the points best", () => {
    expect(found(curve("x^2 - 3"))).to.equal("");
    expect(found({ ...points([1, 2], [2, 3], [4, 4]), ...curve("1.5 + 0.64*x") })).to.equal("");
  });
  it("refuses a curve that they do not write, and what it becomes", () => {
    expect(found(curve("x^2 - 4"))).to.match(/The curve x\^2 - 4 neither stands/);
    expect(found(curve("x^2 - 3", { becomes: { expression: "x^2 + 3", cue: "" } }))).to.match(/The curve x\^2 \+ 3 neither stands/);
  });
  it("lets a line be tried whose errors are shown, and not what it becomes", () => {
    expect(found(curve("2*x + 5", { residuals: "lines" }))).to.equal("");
    expect(found(curve("2*x + 5", { residuals: "lines", becomes: { expression: "x + 9", cue: "" } }))).to.match(/The curve x \+ 9/);
  });

  const vectors = { vectors: [at(2, 1), at(-1, 3)].map((to, index) => ({ name: "vw"[index], to, cue: "" })) };
  it("takes an area between arrows of the scene, and a shape that a map is tried on", () => {
    expect(found({ ...vectors, ...polygon([0, 0], [2, 1], [1, 4], [-1, 3]) })).to.equal("");
    expect(found({ maps: [map], ...polygon([0.5, 0.5], [2, 0.5], [2, 1.5]) })).to.equal("");
    expect(found(polygon([1, 2], [2, 3], [4, 4]))).to.equal("");
  });
  it("refuses an area with a corner of its own", () => {
    expect(found({ ...vectors, ...polygon([0, 0], [2, 1], [1, 5], [-1, 3]) })).to.equal(
      "The corner (1, 5) of an area neither stands in the passages of the scene nor follows from its arrows and points.",
    );
  });

  it("refuses a matrix and a vector that they do not have", () => {
    expect(found({ maps: [{ ...map, a: 3, d: 5 }] })).to.match(/The matrix A/);
    expect(found({ vectors: [{ name: "v", to: at(2, 5), cue: "" }] })).to.match(/In the passages of the scene v is \(2, 1\)/);
    expect(found({ vectors: [{ name: "u", to: at(2, 5), cue: "" }] })).to.match(/The vector u \(2, 5\) neither stands/);
  });
});
