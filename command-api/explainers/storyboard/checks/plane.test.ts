import type { SceneOf } from "@colloquy/schemas/explainers/storyboard.ts";
import { expect } from "chai";
import { planeFindings } from "./plane.ts";

const texts = ["The points $(1, 2)$, $(2, 3)$ and $(4, 4)$, the arrows $v = (2, 1)$ and $w = (-1, 3)$, and the curve $y = x^2 - 3$."];
const none = { centre: { x: 0, y: 0 }, extent: 4, maps: [], vectors: [], lines: [], points: [], polygons: [], curves: [] };
function found(content: object, from: readonly string[] = texts): string {
  return planeFindings({ layout: "plane", content: { ...none, ...content } } as unknown as SceneOf<"plane">, from)
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
  it("refuses a curve that meets the best line at a few places only", () => {
    const onLine = points([0, 1], [1, 2], [2, 3]);
    expect(found({ ...onLine, ...curve("x + 1") })).to.equal("");
    for (const other of ["x^2 + 1", "x^9 + 1", "x + 1 + x*(x - 1)*(x - 2)*(x + 1)"])
      expect(found({ ...onLine, ...curve(other) }), other).to.match(/neither stands/);
  });
  const tried = (more: object = {}) => curve("2*x + 5", { residuals: "lines", ...more });
  it("lets a line be tried whose errors are shown, and not what it becomes", () => {
    expect(found({ ...points([1, 2], [2, 3]), ...tried() })).to.equal("");
    expect(found({ ...points([1, 2], [2, 3]), ...tried({ becomes: { expression: "x + 9", cue: "" } }) })).to.match(/The curve x \+ 9/);
  });
  it("lets none be tried without points", () => {
    expect(found(tried())).to.match(/The curve 2\*x \+ 5 neither stands/);
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

  it("takes a matrix that code builds, and no other", () => {
    const code = ["A = np.array([[0.9, 0.5],\n              [0.1, 0.5]])"];
    const weather = { ...map, a: 0.9, b: 0.5, c: 0.1, d: 0.5 };
    expect(found({ maps: [weather] }, code)).to.equal("");
    expect(found({ maps: [{ ...weather, b: 0.1, c: 0.5 }] }, code)).to.match(/The matrix A/);
  });

  const { raw } = String;
  it("takes a matrix and a vector whose rows TeX breaks before a space", () => {
    const text = [raw`Let $A = \begin{pmatrix} 4 & -1 \\ 2 & 1 \end{pmatrix}$ and $u = \begin{pmatrix} 2 \\ 5 \end{pmatrix}$.`];
    expect(found({ maps: [{ ...map, a: 4, b: -1, c: 2, d: 1 }], vectors: [{ name: "u", to: at(2, 5), cue: "" }] }, text)).to.equal("");
  });
  it("refuses a matrix that they give to another name, be it a plain one", () => {
    const text = [raw`$A = \begin{pmatrix} 2 & 1 \\ 1 & 2 \end{pmatrix}$ and $B = \begin{pmatrix} 1 & 3 \\ 0 & 1 \end{pmatrix}$.`];
    const shear = { a: 1, b: 3, c: 0, d: 1 };
    expect(found({ maps: [{ ...map, ...shear, name: "B" }] }, text)).to.equal("");
    expect(found({ maps: [{ ...map, ...shear }] }, text)).to.match(/The matrix A \(1 3; 0 1\) .* another of this name/);
    expect(found({ maps: [map] }, text)).to.match(/The matrix A \(0 -1; 1 0\) .* another of this name/);
    expect(found({ maps: [{ ...map, name: "R" }] }, text)).to.equal("");
  });
  it("takes no product for what its last factor is", () => {
    const text = [raw`With $v = (1, 2)$ it is $A\,v = (3, 6)$, and $B A = \begin{pmatrix} 1 & 3 \\ 0 & 1 \end{pmatrix}$.`];
    expect(found({ vectors: [{ name: "v", to: at(3, 6), cue: "" }] }, text)).to.match(/v is \(1, 2\), and not/);
    expect(found({ maps: [{ ...map, a: 3, d: 3, b: 0, c: 0 }] }, [...text, "[[3, 0], [0, 3]]"])).to.equal("");
  });
  it("takes the columns of a matrix in their order, and no other pairs of numbers", () => {
    const columns = { ...map, a: 2, b: 1, c: 7, d: 3 };
    expect(found({ maps: [columns] }, ["The columns (2, 7) and (1, 3) span it."])).to.equal("");
    expect(found({ maps: [columns] }, ["It sends $e_1$ to $(2, 7)$ and $e_2$ to $(1, 3)$."])).to.equal("");
    expect(found({ maps: [columns] }, ["The columns (1, 3) and (2, 7) span it."])).to.match(/does not stand/);
    expect(found({ maps: [columns] }, ["The points (2, 7) and (1, 3) are given."])).to.match(/does not stand/);
  });

  it("refuses a matrix and a vector that they do not have", () => {
    expect(found({ maps: [{ ...map, a: 3, d: 5 }] })).to.match(/The matrix A/);
    expect(found({ vectors: [{ name: "v", to: at(2, 5), cue: "" }] })).to.match(/In the passages of the scene v is \(2, 1\)/);
    expect(found({ vectors: [{ name: "u", to: at(2, 5), cue: "" }] })).to.match(/The vector u \(2, 5\) neither stands/);
  });

  it("takes a vector that code of the passages builds, and no interval", () => {
    expect(found({ vectors: [{ name: "u", to: at(3, 1), cue: "" }] }, ["print(R @ np.array([3, 1]))"])).to.equal("");
    expect(found({ vectors: [{ name: "u", to: at(3, 1), cue: "" }] }, ["Here t runs through [3, 1]."])).to.match(/neither stands/);
  });

  const family = (expression: string, more: object = {}) => ({
    ...curve(expression),
    parameter: { name: "a", from: 1, to: -2, cue: "a moves" },
    ...more,
  });
  const ofFamily = ["The curves $y = ax^2 + 1$, and the multiples $c\\,v$ of $v = (2, 1)$. Where $x = 3$ it is steep."];
  it("takes a curve with a parameter that the passages write, in whatever way", () => {
    expect(found(family("a*x^2 + 1"), ofFamily)).to.equal("");
    expect(found(family("1 + a x^2"), ofFamily)).to.equal("");
  });
  it("refuses a curve whose parameter stands elsewhere, and a letter of its own", () => {
    expect(found(family("a*x^2 - 1"), ofFamily)).to.match(/The curve a\*x\^2 - 1 neither stands/);
    expect(found(family("x^2 + a"), ofFamily)).to.match(/The curve x\^2 \+ a neither stands/);
    const other = { parameter: { name: "k", from: 1, to: 2, cue: "k moves" } };
    expect(found(family("k*x^2 + 1", other), ofFamily)).to.match(/No formula .* has the letter k/);
  });

  it("refuses a curve with a parameter that has values where that of the passages has none", () => {
    const logarithm = ["The curves $y = a\\ln(x-3)$."];
    expect(found(family("a*sqrt(x-2)"), logarithm)).to.match(/The curve a\*sqrt\(x-2\) neither stands/);
    expect(found(family("a*ln(x-3)", { centre: at(6, 0) }), logarithm)).to.equal("");
  });
  it("refuses a curve whose parameter is the letter that it is drawn over", () => {
    const other = { parameter: { name: "t", from: 1, to: 2, cue: "t moves" } };
    expect(found(family("t^2", other), ["The function $f(t) = t^2$."])).to.match(/The curve t\^2 moves .* has no x/);
  });

  const moving = (x: string | number, y: string | number) => ({
    vectors: [
      { name: "v", to: at(2, 1), cue: "" },
      { name: "t", to: { x, y }, cue: "" },
    ],
    parameter: { name: "c", from: 1, to: -1, cue: "c moves" },
  });
  it("takes a vector that stays a multiple of one that the passages have", () => {
    expect(found(moving("2*c", "c"), ofFamily)).to.equal("");
  });
  it("refuses a vector that leaves the line on its way", () => {
    expect(found(moving("2*c", "c^3"), ofFamily)).to.match(/The vector t .* neither stands/);
  });
  it("takes a point that stays on a curve of the scene, and refuses one beside it", () => {
    const point = (y: string) => family("a*x^2 + 1", { points: [{ at: { x: "a", y }, cue: "" }] });
    expect(found(point("a^3 + 1"), ofFamily)).to.equal("");
    expect(found(point("a^3 + 2"), ofFamily)).to.match(/The point .* does not stand/);
  });

  const tangent = (at: number, to: object | null = null) => ({ ...curve("x^2 - 3"), tangents: [{ curve: 0, at, cue: "", to }] });
  it("takes a tangent where the passages have a number, and one that travels", () => {
    expect(found(tangent(2))).to.equal("");
    expect(found(tangent(0))).to.equal("");
    expect(found(tangent(-1.5, { at: 1.5, cue: "along" }))).to.equal("");
  });
  it("refuses a tangent that stays at a place of its own", () => {
    expect(found(tangent(1.37))).to.match(/say nothing of 1\.37/);
  });
});
