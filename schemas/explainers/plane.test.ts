import { expect } from "chai";
import {
  applied,
  areaOf,
  arrowNames,
  between,
  determinant,
  eigenvalueOf,
  identity,
  lettersAt,
  movesWith,
  placeAt,
  planeFacts,
  product,
  statesOf,
} from "./plane.ts";
import { sceneContent } from "./storyboard.ts";

const plane = (more: object) =>
  sceneContent.plane.parse({
    heading: "A plane",
    centre: { x: 0, y: 0 },
    extent: 4,
    maps: [],
    vectors: [],
    lines: [],
    points: [],
    polygons: [],
    curves: [],
    focus: [],
    ...more,
  });
const shear = { a: 1, b: 1, c: 0, d: 1 };
const turn = { a: 0, b: -1, c: 1, d: 0 };
const square = [
  { x: 0, y: 0 },
  { x: 1, y: 0 },
  { x: 1, y: 1 },
  { x: 0, y: 1 },
];

describe("what follows from a plane", () => {
  it("names a multiple of a vector as one, and any other image by its coordinates", () => {
    const vectors = [
      { name: "u", to: { x: 1, y: 1 }, cue: "" },
      { name: "v", to: { x: 1, y: -1 }, cue: "" },
      { name: "w", to: { x: -1, y: 0 }, cue: "" },
    ];
    const facts = planeFacts(plane({ maps: [{ name: "A", a: 2, b: 1, c: 1, d: 2, cue: "" }], vectors }));
    expect(facts.map(({ states }) => states.at(-1))).to.deep.equal([
      "A = \\begin{pmatrix} 2 & 1 \\\\ 1 & 2 \\end{pmatrix}",
      "A\\,u = 3\\,u",
      "A\\,v = v",
      "A\\,w = (-2,\\, -1)",
    ]);
  });

  it("calls an arrow an exact multiple of itself, or the image that it is", () => {
    const two = plane({
      maps: [
        { name: "S", ...shear, cue: "" },
        { name: "A", a: 2, b: 0, c: 0, d: 1, cue: "" },
      ],
      vectors: [
        { name: "e1", to: { x: 1, y: 0 }, cue: "" },
        { name: "e2", to: { x: 0, y: 1 }, cue: "" },
      ],
    });
    expect(two.vectors.map((vector) => arrowNames(two, vector))).to.deep.equal([
      ["e_{1}", "e_{1}", "2\\,e_{1}"],
      ["e_{2}", "S\\,e_{2}", "A\\,S\\,e_{2}"],
    ]);
    const third = plane({
      maps: [{ name: "A", a: 1 / 3, b: 0, c: 0, d: 1, cue: "" }],
      vectors: [{ name: "u", to: { x: 1, y: 0 }, cue: "" }],
    });
    expect(third.vectors.map((vector) => arrowNames(third, vector))).to.deep.equal([["u", "A\\,u"]]);
  });

  it("names a flipped and a crushed vector", () => {
    const vectors = [
      { name: "x1", to: { x: 0, y: 2 }, cue: "" },
      { name: "y", to: { x: 3, y: 0 }, cue: "" },
    ];
    const facts = planeFacts(plane({ maps: [{ name: "P", a: 0, b: 0, c: 0, d: -1, cue: "" }], vectors }));
    expect(facts.slice(1).map(({ states }) => states[1])).to.deep.equal(["P\\,x_{1} = -x_{1}", "P\\,y = 0"]);
  });

  it("applies maps one after the other, the last named first", () => {
    const vectors = [{ name: "v", to: { x: 1, y: 0 }, cue: "" }];
    const maps = [
      { name: "S", ...shear, cue: "" },
      { name: "R", ...turn, cue: "" },
    ];
    expect(statesOf(maps)).to.deep.equal([identity, shear, product(turn, shear)]);
    expect(planeFacts(plane({ maps, vectors })).at(-1)?.states).to.deep.equal(["v = (1,\\, 0)", "S\\,v = v", "R\\,S\\,v = (0,\\, 1)"]);
  });

  it("writes a map once that is done twice, and both of one name that differ", () => {
    const kinds = (...maps: (typeof turn)[]): number =>
      planeFacts(plane({ maps: maps.map((map) => ({ name: "A", ...map, cue: "" })) })).filter(({ kind }) => kind === "map").length;
    expect([kinds(turn, turn), kinds(turn, shear)]).to.deep.equal([1, 2]);
  });

  it("computes the determinant with its numbers, and the factor of area", () => {
    const maps = [{ name: "A", a: 2, b: 1, c: -1, d: 3, cue: "" }];
    const facts = planeFacts(plane({ maps, polygons: [{ corners: square, measured: true, cue: "" }] }));
    expect(facts[1]?.states).to.deep.equal(["\\det A = 2\\cdot 3 - 1\\cdot (-1) = 7"]);
    expect(areaOf(square)).to.equal(1);
    expect(areaOf(square.toReversed())).to.equal(1);
    expect(determinant(between(identity, { a: 2, b: 1, c: -1, d: 3 }, 1))).to.equal(7);
  });

  it("turns what another map has made, so that nothing shrinks on its way", () => {
    const after = product(turn, shear);
    for (const share of [0.25, 0.5, 0.75]) expect(determinant(between(shear, after, share))).to.be.closeTo(1, 1e-9);
    expect(between(shear, after, 0)).to.deep.equal(shear);
    expect(applied(between(shear, after, 1), { x: 0, y: 1 }).x).to.be.closeTo(-1, 1e-9);
  });

  it("moves along straight lines after a map that crushes the plane", () => {
    expect(between({ a: 1, b: 0, c: 0, d: 0 }, { a: 0, b: 0, c: 1, d: 0 }, 0.5)).to.deep.equal({ a: 0.5, b: 0, c: 0.5, d: 0 });
  });

  it("finds eigenvalues only on a vector's own line", () => {
    expect(eigenvalueOf(turn, { x: 1, y: 0 })).to.equal(null);
    expect(eigenvalueOf(shear, { x: 4, y: 0 })).to.equal(1);
    expect(eigenvalueOf(shear, { x: 0, y: 0 })).to.equal(null);
  });

  const curve = { expression: "a x^2", cue: "", residuals: "none", residualsCue: "", becomes: null };
  const parameter = { name: "a", from: 1, to: -2, cue: "a moves" };
  const tangent = { curve: 0, at: 1, cue: "", to: null };

  it("computes slopes from the curve, before and after it moves", () => {
    const travels = { ...tangent, to: { at: 2, cue: "on to" } };
    const facts = planeFacts(plane({ curves: [curve], parameter, tangents: [tangent, travels] })).map(({ states }) => states);
    expect(facts).to.deep.equal([["y = a x^{2}"], ["a = 1", "a = -2"], ["y'(1) = 2", "y'(1) = -4"], ["y'(1) = 2", "y'(2) = -8"]]);
  });

  it("numbers curves where tangents touch two of them", () => {
    const curves = [curve, { ...curve, expression: "x^3" }];
    const facts = planeFacts(plane({ curves, parameter, tangents: [tangent, { ...tangent, curve: 1 }] })).map(({ states }) => states[0]);
    expect(facts).to.deep.equal(["y_{1} = a x^{2}", "y_{2} = x^{3}", "a = 1", "y_{1}'(1) = 2", "y_{2}'(1) = 3"]);
  });

  it("reads places whose coordinates are expressions of the parameter", () => {
    const content = plane({ vectors: [{ name: "t", to: { x: "2 a", y: 1 }, cue: "" }], parameter });
    expect([1, -2].map((value) => placeAt({ x: "2 a", y: 1 }, lettersAt(content, value)))).to.deep.equal([
      { x: 2, y: 1 },
      { x: -4, y: 1 },
    ]);
    expect(planeFacts(content)[0]?.states).to.deep.equal(["t = (2 a,\\, 1)"]);
    expect([movesWith(content, "2 a", 1), movesWith(content, "abs(2)", 1)]).to.deep.equal([true, false]);
  });

  it("takes planes of earlier storyboards, without tangents and a parameter", () => {
    expect(plane({})).to.not.have.any.keys("tangents", "parameter");
  });

  const refused: [what: string, more: object][] = [
    ["a parameter named like a constant or a coordinate", { parameter: { ...parameter, name: "e" } }],
    ["a parameter that moves without a cue", { parameter: { ...parameter, cue: "" } }],
    ["a parameter beyond the largest coordinate", { parameter: { ...parameter, to: 21 } }],
    ["a tangent of a curve beyond the most", { tangents: [{ ...tangent, curve: 2 }] }],
    ["a tangent beyond the largest coordinate", { tangents: [{ ...tangent, at: 21 }] }],
    ["three tangents", { tangents: [tangent, tangent, tangent] }],
    ["a slope that is typed", { tangents: [{ ...tangent, slope: 2 }] }],
  ];
  for (const [what, more] of refused) it(`refuses ${what}`, () => expect(() => plane({ curves: [curve], ...more })).to.throw());
});
