import type { Placed, TextItem } from "@colloquy/schemas/explainers/placed.ts";
import { expect } from "chai";
import { boxAt, isShownAt, placedPlane } from "../testing/planes.ts";
import { aspects } from "../testing/scenes.ts";
import { meetsBox } from "./plane-view.ts";

const narration = "Here are two arrows in the plane. Now the map moves the grid and both of them at once, and one stays on its line.";
const turn = { name: "R", a: 0, b: -1, c: 1, d: 0, cue: "map moves" };
const vectors = [
  { name: "e1", to: { x: 1, y: 0 }, cue: "" },
  { name: "e2", to: { x: 0, y: 1 }, cue: "" },
];
const ticksAt = ({ items }: Placed, timeMs: number): TextItem[] =>
  items.filter((item): item is TextItem => item.kind === "text" && item.part === "plane" && isShownAt(item, timeMs));
const textsAt = (placed: Placed, timeMs: number): string[] => ticksAt(placed, timeMs).map(({ text }) => text);

describe("the numbers of a plane", () => {
  for (const aspect of aspects)
    it(`never lie under a name, also while a map moves (${aspect})`, () => {
      const placed = placedPlane({ extent: 2.6, maps: [turn], vectors }, narration, aspect);
      const names = placed.items.filter((item) => item.kind === "glyphs" && item.part === "plane");
      expect(names.length).to.be.above(2);
      for (let at = 0; at < placed.durationMs; at += 40)
        for (const name of names.filter((item) => isShownAt(item, at)))
          for (const { text, box } of ticksAt(placed, at)) expect(meetsBox(box, boxAt(name, at)), `${text} at ${at} ms`).to.equal(false);
    });

  it("stand above a surface, whole", () => {
    const corners = [-3, 3].flatMap((x) => [-x, x].map((y) => ({ x, y })));
    const { items } = placedPlane({ polygons: [{ corners, measured: false, cue: "" }] }, narration);
    const surface = items.findIndex((item) => item.kind === "line" && item.fill !== undefined);
    const numbers = items.flatMap((item, index) => (item.kind === "text" && item.part === "plane" ? [{ item, index }] : []));
    expect(numbers.map(({ item }) => item.text)).to.include.members(["2", "−2"]);
    expect(numbers.every(({ index, item }) => index > surface && item.rim === true)).to.equal(true);
  });

  it("are hidden while a line lies on them, and come again", () => {
    const corners = [
      { x: 0, y: 0 },
      { x: -2, y: 0 },
      { x: -2, y: 1 },
      { x: 0, y: 1 },
    ];
    const placed = placedPlane(
      { extent: 2.6, maps: [{ ...turn, b: 1, c: -1 }], polygons: [{ corners, measured: false, cue: "" }] },
      narration,
    );
    const count = (timeMs: number): number => textsAt(placed, timeMs).filter((text) => text === "1").length;
    expect([count(0), count(placed.durationMs - 1)]).to.deep.equal([1, 2]);
  });

  it("are hidden from when a curve comes that lies on them", () => {
    const curve = { expression: "2 x + 1", cue: "map moves", residuals: "none", residualsCue: "", becomes: null } as const;
    const placed = placedPlane({ extent: 2.6, curves: [curve] }, narration);
    const [before, after] = [textsAt(placed, 0), textsAt(placed, placed.durationMs - 1)];
    expect(before.length).to.be.above(after.length);
    expect(after.length).to.be.above(0);
  });

  it("stay all the time where nothing comes near", () => {
    const placed = placedPlane({ extent: 2.6 }, narration);
    expect(ticksAt(placed, 0).every(({ from, until }) => from === 0 && until === undefined)).to.equal(true);
  });
});
