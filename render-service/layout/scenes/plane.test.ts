import type { Item, LineItem, Placed } from "@colloquy/schemas/explainers/placed.ts";
import type { SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";
import { silentSpeech } from "@colloquy/schemas/explainers/timing.ts";
import { expect } from "chai";
import { frameKey } from "../../frames/draw.ts";
import { poseOf } from "../../frames/moves.ts";
import { placeScene } from "../place.ts";
import { emptyPlane, itemsOf, placedPlane } from "../testing/planes.ts";
import { aspects, sceneOf } from "../testing/scenes.ts";
import { spokenAt } from "../timing.ts";

type Plane = SceneContent<"plane">;
const narration = "Here are two arrows in the plane. Now the map moves the grid and both of them at once, and one stays on its line.";
const map = { name: "A", a: 2, b: 1, c: 1, d: 2, cue: "map moves" };
const vectors = [
  { name: "u", to: { x: 1, y: 1 }, cue: "" },
  { name: "w", to: { x: -1, y: 0 }, cue: "arrows" },
];

function result(content: Partial<Plane>, aspect: (typeof aspects)[number] = "16:9", seconds = 12) {
  return placeScene(sceneOf("plane", { ...emptyPlane, ...content }, narration), { aspect, language: "en", seconds });
}
function place(content: Partial<Plane>, aspect: (typeof aspects)[number] = "16:9"): Placed {
  const placed = result(content, aspect);
  if (placed.kind === "refused") throw new Error(placed.findings.join("; "));
  return placed;
}
const findingsOf = (content: Partial<Plane>, seconds = 12): string[] => {
  const placed = result(content, "16:9", seconds);
  return placed.kind === "refused" ? placed.findings : [];
};
const isVector = (item: Item): item is LineItem => item.kind === "line" && item.tip !== undefined;
const tipAt = ({ tip, moves = [] }: LineItem, timeMs: number): { x: number; y: number } => {
  const [a, b, c, d, e, f] = poseOf(moves, timeMs) ?? [1, 0, 0, 1, 0, 0];
  const { x, y } = tip ?? { x: 0, y: 0 };
  return { x: a * x + c * y + e, y: b * x + d * y + f };
};

describe("a plane", () => {
  for (const aspect of aspects)
    it(`carries vectors with the grid, an eigenvector along its own line (${aspect})`, () => {
      const { items, durationMs } = place({ maps: [map], vectors }, aspect);
      const [u, w] = items.filter(isVector);
      if (!u || !w) throw new Error("no vectors");
      const origin = (() => {
        const [x, y] = (/^M([\d.]+) ([\d.]+)/.exec(u.d) ?? []).slice(1).map(Number);
        return { x: x ?? 0, y: y ?? 0 };
      })();
      const [start, end] = [tipAt(u, 0), tipAt(u, durationMs)];
      expect((end.x - origin.x) / (start.x - origin.x)).to.be.closeTo(3, 0.01);
      for (let timeMs = 0; timeMs < durationMs; timeMs += 100) {
        const { x, y } = tipAt(u, timeMs);
        expect(x - origin.x, `at ${timeMs} ms`).to.be.closeTo(origin.y - y, 0.1);
      }
      const image = tipAt(w, durationMs);
      expect((image.x - origin.x) / (origin.y - image.y)).to.be.closeTo(2, 0.02);
    });

  it("has room for a map at the pace of any voice", () => {
    const [from, to] = [500, 11_000];
    // The words up to the map are said so slowly that it comes in the last quarter.
    const places = [
      { at: 0, ms: from },
      { at: narration.indexOf("map moves"), ms: 9_000 },
      { at: narration.length, ms: to },
    ];
    const scene = sceneOf("plane", { ...emptyPlane, maps: [map], vectors }, narration);
    const placed = placeScene(scene, { aspect: "16:9", language: "en", seconds: 12, speech: { from, to, places } });
    expect(placed.kind).to.equal("placed");
  });

  for (const [said, words] of [
    ["when its name is said", "Here are two arrows under a map called A. Now the map moves the grid and both of them at once."],
    [
      "when its name is said, not at an article",
      "A plane has two arrows under a map called A. Now the map moves the grid and both of them.",
    ],
    ["at its map where no name is said", narration],
  ] as const)
    it(`shows a matrix ${said}, not before`, () => {
      const placed = placedPlane({ maps: [map], vectors }, words);
      const cue = words === narration ? "map moves" : "A. Now";
      const speech = silentSpeech(sceneOf("plane", emptyPlane, words), placed.durationMs);
      const [matrix] = itemsOf(placed, "A = \\begin{pmatrix} 2 & 1 \\\\ 1 & 2 \\end{pmatrix}", "beside");
      expect(matrix?.from).to.equal(spokenAt(cue, { narration: words, speech, durationMs: placed.durationMs }));
    });

  it("underlines what stands beside it as far as it goes, before its map and after it", () => {
    const { items } = place({ maps: [map], vectors, focus: [{ on: "u", cue: "Here are" }] });
    const own = items.filter(({ part }) => part === "fact 1");
    const lines = own.filter(({ kind }) => kind === "line");
    expect(lines.length).to.equal(2);
    for (const { box, from, until } of lines) {
      const formula = own.find((one) => one.kind === "glyphs" && one.from <= from && one.until === until);
      expect(box.width).to.be.closeTo(formula?.box.width ?? 0, 12);
    }
  });

  for (const aspect of aspects)
    it(`fills the plane with its grid, however much maps shrink it (${aspect})`, () => {
      const shrinks = { name: "A", a: 0.9, b: 0.5, c: 0.1, d: 0.5 };
      const maps = [
        { ...shrinks, cue: "map moves" },
        { ...shrinks, cue: "at once" },
      ];
      const { items, durationMs } = place({ centre: { x: 0.5, y: 0.5 }, extent: 1, maps, vectors: [] }, aspect);
      const [still, moving] = items.filter((item): item is LineItem => item.kind === "line" && /^(M\S+ \S+L\S+ \S+)+$/.test(item.d));
      if (!still || !moving?.moves) throw new Error("no grid");
      const placesOf = ({ d }: LineItem) => [...d.matchAll(/[ML]([-\d.]+) ([-\d.]+)/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }));
      const borders = (places: { x: number; y: number }[]) => {
        const [across, down] = [places.map(({ x }) => x), places.map(({ y }) => y)];
        return { left: Math.min(...across), right: Math.max(...across), top: Math.min(...down), bottom: Math.max(...down) };
      };
      const [seen, grid] = [borders(placesOf(still)), borders(placesOf(moving))];
      const [a, b, c, d, e, f] = poseOf(moving.moves, durationMs) ?? [1, 0, 0, 1, 0, 0];
      for (const x of [seen.left, seen.right])
        for (const y of [seen.top, seen.bottom]) {
          const from = { x: (d * (x - e) - c * (y - f)) / (a * d - b * c), y: (a * (y - f) - b * (x - e)) / (a * d - b * c) };
          expect(from.x).to.be.within(grid.left, grid.right);
          expect(from.y).to.be.within(grid.top, grid.bottom);
        }
    });

  it("draws different frames for as long as the map moves, and rests then", () => {
    const placed = place({ maps: [map], vectors });
    const move = placed.items.find(({ moves }) => moves && moves.length > 0)?.moves?.[0];
    if (!move) throw new Error("nothing moves");
    const keys = new Set(Array.from({ length: 90 }, (_, index) => frameKey(placed, move.from + ((index + 0.5) * move.takes) / 96)));
    expect(keys.size).to.be.at.least(85);
    expect(frameKey(placed, placed.durationMs - 1)).to.equal(frameKey(placed, placed.durationMs + 60_000));
  });

  it("counts an area up to what the determinant makes of it", () => {
    const corners = [
      { x: 0, y: 0 },
      { x: 1, y: 0 },
      { x: 1, y: 1 },
      { x: 0, y: 1 },
    ];
    const { items } = place({ maps: [map], polygons: [{ corners, measured: true, cue: "" }] });
    const counted = items.flatMap((item) => (item.kind === "text" && item.text.startsWith("area") ? item.text : []));
    expect(counted[0]).to.equal("area = 1");
    expect(counted.at(-1)).to.equal("area = 3");
    expect(counted.length).to.be.above(10);
  });

  it("draws squares of the residuals and their sum", () => {
    const points = [1, 2, 3].map((x) => ({ at: { x, y: x === 2 ? 3 : 1 }, cue: "" }));
    const { items } = place({ points, curves: [{ expression: "x", cue: "", residuals: "squares", residualsCue: "", becomes: null }] });
    expect(items.flatMap((item) => (item.kind === "text" && item.text.startsWith("sum") ? item.text : [])).at(-1)).to.equal(
      "sum of squares = 5",
    );
  });

  it("moves a curve with its squares and their sum to another", () => {
    const points = [0, 1, 2].map((x) => ({ at: { x, y: x }, cue: "" }));
    const becomes = { expression: "x", cue: "map moves" };
    const { items } = place({ points, curves: [{ expression: "x + 1", cue: "", residuals: "squares", residualsCue: "", becomes }] });
    const sums = items.flatMap((item) => (item.kind === "text" && item.text.startsWith("sum") ? Number(item.text.split(" = ")[1]) : []));
    expect(sums[0]).to.equal(3);
    expect(sums.at(-1)).to.equal(0);
    expect(sums).to.deep.equal(sums.toSorted((one, other) => other - one));
  });

  const residuals = { residuals: "squares", residualsCue: "both of them" } as const;
  const errorsOf = (curve: object, more: Partial<Plane> = {}): string =>
    findingsOf({
      points: [1, 2].map((x) => ({ at: { x, y: 3 - x }, cue: "" })),
      curves: [{ expression: "x", cue: "", becomes: null, ...residuals, ...curve }],
      ...more,
    }).join(" ");
  it("refuses residuals that appear after their curve begins to move", () => {
    const late = /residuals of the curve “.*” appear after it begins to move/u;
    expect(errorsOf({ becomes: { expression: "2 x", cue: "map moves" } })).to.match(late);
    expect(errorsOf({ expression: "a x" }, { parameter: { name: "a", from: 0, to: 1, cue: "map moves" } })).to.match(late);
  });
  it("shows no sum of squares before the last square", () => {
    const points = [1, 2].map((x) => ({ at: { x, y: 3 - x }, cue: "" }));
    const { items } = place({ points, curves: [{ expression: "x", cue: "", becomes: null, ...residuals }] });
    const sums = items.filter((item) => item.kind === "text" && item.text.startsWith("sum"));
    const squares = items.filter((item) => item.kind === "line" && item.fill === "accent-wash");
    expect(squares).to.have.length(2);
    expect(sums.map(({ from }) => from)).to.deep.equal([Math.max(...squares.map(({ from }) => from))]);
  });
  it("takes residuals before their curve moves, and late ones of a curve that stays", () => {
    expect(errorsOf({ residualsCue: "arrows", becomes: { expression: "2 x", cue: "map moves" } })).to.equal("");
    const vectors = [{ name: "v", to: { x: "a", y: 2 }, cue: "" }];
    expect(errorsOf({}, { vectors, parameter: { name: "a", from: 0, to: 1, cue: "map moves" } })).to.equal("");
  });

  const square = { expression: "a x^2", cue: "", residuals: "none", residualsCue: "", becomes: null } as const;
  const parameter = { name: "a", from: 0.5, to: -1, cue: "map moves" };
  const tangent = { curve: 0, at: 1, cue: "", to: null };
  const parabola = { expression: "x^2", cue: "", residuals: "none", residualsCue: "", becomes: null } as const;
  const numbersOf = ({ items }: Placed, word: string): number[] =>
    items.flatMap((item) =>
      item.kind === "text" && item.text.startsWith(`${word} = `) ? Number(item.text.split(" = ")[1]?.replace("−", "-")) : [],
    );
  const pathsOf = ({ items }: Placed, colour: string): LineItem[] =>
    items.filter(
      (item): item is LineItem => item.kind === "line" && item.part === "plane" && item.colour === colour && item.fill === undefined,
    );
  /** The slope of a straight line as it is drawn. */
  const slopeOf = ({ d }: LineItem): number => {
    const [x = 0, y = 0, toX = 0, toY = 0] = [...d.matchAll(/-?[\d.]+/g)].map(Number);
    return (y - toY) / (toX - x);
  };

  for (const aspect of aspects)
    it(`draws a tangent as steep as its curve, and says its slope (${aspect})`, () => {
      const placed = place({ curves: [parabola], tangents: [tangent] }, aspect);
      expect(pathsOf(placed, "warn").map(slopeOf)[0]).to.be.closeTo(2, 0.01);
      expect(numbersOf(placed, "slope")).to.deep.equal([2]);
    });

  it("travels with a tangent along a curve that only bends sharply", () => {
    const bent = { ...parabola, expression: "sqrt(x^2 + 0.01)" };
    expect(findingsOf({ curves: [bent], tangents: [{ ...tangent, at: -1, to: { at: 2, cue: "map moves" } }] })).to.deep.equal([]);
  });

  it("travels with a tangent along its curve, its slope rising all the way", () => {
    const placed = place({ curves: [parabola], tangents: [{ ...tangent, at: -1, to: { at: 1, cue: "map moves" } }] });
    const slopes = pathsOf(placed, "warn").map(slopeOf);
    expect(slopes.length).to.be.above(60);
    expect(slopes).to.deep.equal(slopes.toSorted((one, other) => one - other));
    const said = numbersOf(placed, "slope");
    expect([said[0], said.at(-1)]).to.deep.equal([-2, 2]);
    expect(said).to.deep.equal(said.toSorted((one, other) => one - other));
  });

  const textsOf = ({ items }: Placed): string[] => items.flatMap((item) => (item.kind === "text" ? item.text : []));
  it("says of two slopes where each is", () => {
    const both = place({ curves: [parabola], tangents: [tangent, { ...tangent, at: -1, to: { at: 0, cue: "map moves" } }] });
    expect(textsOf(both)).to.include.members(["y′(1) = 2", "y′(−1) = −2", "y′(0) = 0"]);
  });
  it("says of two slopes of which curve each is", () => {
    const curves = [parabola, { ...parabola, expression: "x^3" }];
    expect(textsOf(place({ curves, tangents: [tangent, { ...tangent, curve: 1 }] }))).to.include.members(["y₁′(1) = 2", "y₂′(1) = 3"]);
  });
  it("asks for less where what follows from the plane does not fit", () => {
    const curves = [{ ...parabola, expression: "x^2 + 1/100000000000 + 1/100000000000 + 1/100000000000" }];
    expect(findingsOf({ curves }).join()).to.match(/does not fit beside it: show less of it/u);
  });

  it("moves what has the parameter in its expression, with its number and its slope", () => {
    const placed = place({
      curves: [square],
      parameter,
      tangents: [tangent],
      vectors: [
        { name: "t", to: { x: "2 a", y: "a + 1" }, cue: "" },
        { name: "w", to: { x: -2, y: 2 }, cue: "" },
      ],
    });
    const values = numbersOf(placed, "a");
    expect([values[0], values.at(-1)]).to.deep.equal([0.5, -1]);
    expect(values).to.deep.equal(values.toSorted((one, other) => other - one));
    expect([0, -1].map((at) => numbersOf(placed, "slope").at(at))).to.deep.equal([1, -2]);
    const arrows = placed.items.filter(isVector);
    const [shown, others] = [arrows.filter(({ colour }) => colour === "accent"), arrows.filter(({ colour }) => colour === "warn")];
    expect([others.length, shown.length > 60]).to.deep.equal([1, true]);
    const [first, last] = [shown[0]?.tip, shown.at(-1)?.tip];
    const unit = (others[0]?.tip?.x ?? 0) - (first?.x ?? 0);
    expect(((last?.x ?? 0) - (first?.x ?? 0)) / unit).to.be.closeTo(-3 / -3, 0.01);
  });

  /** The pieces of a curve, as places of the picture. */
  const piecesOf = (expression: string, extent = 4): [number, number][][] =>
    (pathsOf(place({ extent, curves: [{ ...parabola, expression }] }), "accent")[0]?.d ?? "")
      .split("M")
      .filter(Boolean)
      .map((piece) => piece.split("L").map((one) => one.split(" ").map(Number) as [number, number]));
  const broken: [expression: string, extent: number, pieces: number][] = [
    ["1 / x", 4, 2],
    ["1 / (x - 0.15)", 12, 2],
    ["0.2 / (x - 0.02)", 4, 2],
    ["0.001 / (x - 0.02)", 4, 2],
    ["sign(x - 0.3)", 12, 2],
    ["abs(x) / x + 20 x", 4, 2],
  ];
  for (const [expression, extent, count] of broken)
    it(`breaks ${expression} where it has a pole or jump`, () => {
      const pieces = piecesOf(expression, extent);
      expect(pieces).to.have.length(count);
      const [left = [], right = []] = pieces.map((piece) => piece.map(([x]) => x));
      expect(Math.max(...left)).to.be.at.most(Math.min(...right));
    });
  it("breaks a curve at each of its poles, and at each of its jumps", () => {
    const widths = (expression: string): number[] =>
      piecesOf(expression, 12)
        .slice(1, -1)
        .map((piece) => (piece.at(-1)?.[0] ?? 0) - (piece[0]?.[0] ?? 0));
    const [tangents, floors] = [widths("tan(x)"), widths("floor(x)")];
    expect(Math.min(...tangents) / Math.max(...floors)).to.be.closeTo(Math.PI, 0.01);
    expect(Math.max(...tangents) / Math.min(...floors)).to.be.closeTo(Math.PI, 0.01);
  });
  for (const expression of ["200 x - 17", "x^3", "sin(4 x)", "sqrt(x + 3)", "atan(30 x)"])
    it(`draws ${expression} in one piece`, () => expect(piecesOf(expression, 12)).to.have.length(1));
  it("draws a curve to the ends of where it has values", () => {
    const [half = []] = piecesOf("sqrt(4 - x^2)");
    const heights = half.map(([, y]) => y);
    expect(half.at(-1)?.[1]).to.be.closeTo(half[0]?.[1] ?? 0, 0.5);
    expect(Math.max(...heights) - Math.min(...heights)).to.be.closeTo(((half.at(-1)?.[0] ?? 0) - (half[0]?.[0] ?? 0)) / 2, 0.6);
  });

  it("shows one state of what moves at a time", () => {
    const placed = place({ curves: [square], parameter, tangents: [tangent] });
    for (const timeMs of [0, 3_000, 6_000, placed.durationMs - 1]) {
      const shown = pathsOf(placed, "accent").filter(({ from, until }) => from <= timeMs && (until === undefined || until > timeMs));
      expect(shown, `at ${timeMs} ms`).to.have.length(1);
    }
  });

  it("says the number of each state as it is drawn", () => {
    const moved = { ...parameter, from: -18, to: 18 };
    const placed = place({ vectors: [{ name: "t", to: { x: "a / 6", y: 2 }, cue: "" }], parameter: moved });
    const arrows = placed.items.filter(isVector);
    const [first, last] = [arrows[0]?.tip?.x ?? 0, arrows.at(-1)?.tip?.x ?? 0];
    for (const { tip, from } of arrows) {
      const now = placed.items.filter((item) => item.from <= from && (item.until === undefined || item.until > from));
      const drawn = -18 + (36 * ((tip?.x ?? 0) - first)) / (last - first);
      expect(numbersOf({ ...placed, items: now }, "a")[0], `at ${from} ms`).to.be.closeTo(drawn, 0.02);
    }
  });

  it("slides the knob as far as the parameter has moved", () => {
    const { items, durationMs } = place({ curves: [square], parameter });
    const knob = items.find((item) => item.kind === "line" && item.part !== "plane" && item.fill === "accent");
    expect(poseOf(knob?.moves ?? [], durationMs)?.[4]).to.equal(-220);
    expect(items.some((item) => item.kind === "line" && item.part === knob?.part && item.colour === "line-strong")).to.equal(true);
  });

  it("places the same plane the same way", () => expect(place({ maps: [map], vectors })).to.deep.equal(place({ maps: [map], vectors })));

  const corner = (x: number, y: number) => ({ x, y });
  it("takes an area between arrows that stay, beside one that moves", () => {
    const arrows = [corner(2, 0), corner(0, 2)].map((to, index) => ({ name: `v${index + 1}`, to, cue: "" }));
    const moving = { name: "t", to: { x: "2 a", y: "2 a" }, cue: "" };
    const polygons = [{ corners: [corner(0, 0), corner(2, 0), corner(2, 2), corner(0, 2)], measured: true, cue: "" }];
    expect(findingsOf({ vectors: [...arrows, moving], polygons, parameter: { ...parameter, from: 1 } })).to.deep.equal([]);
  });

  const refused: [what: string, content: Partial<Plane>, finding: RegExp][] = [
    ["a cue that is not spoken", { maps: [{ ...map, cue: "the sea" }] }, /does not have the words “the sea”/u],
    [
      "a vector outside of the plane",
      { vectors: [{ name: "v", to: { x: 19, y: 1 }, cue: "" }] },
      /vector v leaves the plane, at \(19, 1\)/u,
    ],
    ["an image outside of the plane", { maps: [{ ...map, a: 9 }], vectors }, /vector u leaves the plane after the map/u],
    ["a map at the very end", { maps: [{ ...map, cue: "its line" }], vectors }, /map A begins too late/u],
    ["two names in one place", { vectors: [...vectors, { name: "v", to: { x: 1.1, y: 1 }, cue: "" }] }, /names u and v would lie/u],
    ["two vectors of one name", { vectors: [...vectors, { name: "u", to: { x: 1, y: -2 }, cue: "" }] }, /same name/u],
    ["a line along nothing", { lines: [{ along: "z", cue: "" }] }, /no vector z/u],
    ["a focus on nothing", { focus: [{ on: "z", cue: "" }] }, /no z to look at/u],
    [
      "a curve that cannot be read",
      { curves: [{ expression: "x +", cue: "", residuals: "none", residualsCue: "", becomes: null }] },
      /cannot be read/u,
    ],
    [
      "a curve that moves at the very end",
      { curves: [{ expression: "x", cue: "", residuals: "none", residualsCue: "", becomes: { expression: "2 x", cue: "its line" } }] },
      /curve moves too late/u,
    ],
    ["a point outside of the plane", { points: [{ at: { x: 15, y: 0 }, cue: "" }] }, /point \(15, 0\) lies outside/u],
    [
      "a tangent where its curve has a corner",
      { curves: [{ ...parabola, expression: "abs(x)" }], tangents: [{ ...tangent, at: 0 }] },
      /has no tangent where x is 0/u,
    ],
    [
      "a tangent that comes to a corner on its way",
      { curves: [{ ...parabola, expression: "1 / x" }], tangents: [{ ...tangent, at: -1, to: { at: 1, cue: "map moves" } }] },
      /has no tangent where x is|outside of the plane/u,
    ],
    [
      "a tangent that passes a corner between two frames",
      { curves: [{ ...parabola, expression: "abs(x)" }], tangents: [{ ...tangent, at: -1, to: { at: 2, cue: "map moves" } }] },
      /has no tangent where x is 0\./u,
    ],
    [
      "a tangent that passes a jump between two frames",
      { curves: [{ ...parabola, expression: "sign(x)" }], tangents: [{ ...tangent, at: -0.7, to: { at: 1, cue: "map moves" } }] },
      /has no tangent where x is 0\./u,
    ],
    [
      "a tangent at a corner that rounding misses",
      { curves: [{ ...parabola, expression: "abs(3x-0.9)" }], tangents: [{ ...tangent, at: 0.3 }] },
      /has no tangent where x is 0\.3/u,
    ],
    [
      "a tangent of which the parameter moves the corner to it",
      { curves: [{ ...parabola, expression: "abs(x - a)" }], tangents: [{ ...tangent, at: 0.1 }], parameter },
      /has no tangent where x is 0\.1/u,
    ],
    ["a tangent outside of the plane", { curves: [parabola], tangents: [{ ...tangent, at: 3 }] }, /outside of the plane, at \(3, 9\)/u],
    ["a tangent of no curve", { tangents: [tangent] }, /no curve 1 for a tangent/u],
    [
      "a tangent of a curve that becomes another",
      { curves: [{ ...parabola, becomes: { expression: "x", cue: "map moves" } }], tangents: [tangent] },
      /cannot follow the curve/u,
    ],
    [
      "a tangent that travels at the very end",
      { curves: [parabola], tangents: [{ ...tangent, to: { at: 0, cue: "its line" } }] },
      /tangent moves too late/u,
    ],
    ["a parameter that no expression has", { curves: [parabola], parameter }, /No expression of the plane has the parameter a/u],
    ["a parameter that stays", { curves: [square], parameter: { ...parameter, to: 0.5 } }, /has one value only/u],
    ["a parameter at the very end", { curves: [square], parameter: { ...parameter, cue: "its line" } }, /parameter a moves too late/u],
    ["a parameter beside a map", { curves: [square], parameter, maps: [map] }, /Maps move the whole plane/u],
    [
      "a vector that the parameter moves out of the plane",
      { vectors: [{ name: "v", to: { x: "20 a", y: 1 }, cue: "" }], parameter },
      /vector v leaves the plane/u,
    ],
    ["a letter that is no parameter", { vectors: [{ name: "v", to: { x: "b", y: 1 }, cue: "" }] }, /vector v cannot be read/u],
    [
      "a point that the parameter moves out of the plane",
      { points: [{ at: { x: 0, y: "9 a" }, cue: "" }], parameter },
      /lies outside of the plane/u,
    ],
    [
      "a vector with the name of the parameter",
      { vectors: [{ name: "a", to: { x: "2a", y: "a" }, cue: "" }], parameter },
      /parameter a has the name of a vector/u,
    ],
    [
      "an area that stays while the arrow at its side moves",
      {
        vectors: [
          { name: "v", to: { x: 2, y: 0 }, cue: "" },
          { name: "t", to: { x: 0, y: "a" }, cue: "" },
        ],
        polygons: [{ corners: [corner(0, 0), corner(2, 0), corner(2, 3), corner(0, 3)], measured: true, cue: "" }],
        parameter: { ...parameter, from: 3, to: 1 },
      },
      /corner \(2, 3\) of an area stays while the tip/u,
    ],
    ["a vector without length", { vectors: [{ name: "v", to: { x: 0, y: 0 }, cue: "" }] }, /v has no length/u],
  ];
  for (const [what, content, finding] of refused) it(`refuses ${what}`, () => expect(findingsOf(content).join(" ")).to.match(finding));
});
