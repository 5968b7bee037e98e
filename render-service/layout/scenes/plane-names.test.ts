import type { Move, Placed } from "@colloquy/schemas/explainers/placed.ts";
import { expect } from "chai";
import { shareAt } from "../../frames/moves.ts";
import { boxAt, isShownAt, itemsOf, placedPlane } from "../testing/planes.ts";
import { aspects } from "../testing/scenes.ts";
import { meetsBox } from "./plane-view.ts";

const narration = "Here are two arrows in the plane. Now the map moves the grid and both of them at once, and one stays on its line.";
const map = { name: "A", a: 2, b: 1, c: 1, d: 2, cue: "map moves" };
const turn = { name: "R", a: 0, b: -1, c: 1, d: 0, cue: "arrows" };
const u = { name: "u", to: { x: 1, y: 1 }, cue: "" };
const w = { name: "w", to: { x: -1, y: 0 }, cue: "" };

const firstMove = ({ items }: Placed): Move => items.find(({ moves }) => moves)?.moves?.[0] ?? expect.fail("nothing moves");
/** What is written in the plane at a time. */
const namesAt = (placed: Placed, names: readonly string[], timeMs: number): string[] =>
  names.filter((name) => itemsOf(placed, name, "plane").some((item) => isShownAt(item, timeMs)));

describe("the name of an arrow", () => {
  for (const aspect of aspects)
    it(`says what a map has made of it, a multiple as such (${aspect})`, () => {
      const placed = placedPlane({ maps: [map], vectors: [u, w] }, narration, aspect);
      const names = ["u", "3\\,u", "w", "A\\,w"];
      expect(namesAt(placed, names, 0)).to.deep.equal(["u", "w"]);
      expect(namesAt(placed, names, placed.durationMs)).to.deep.equal(["3\\,u", "A\\,w"]);
    });

  it("says what one map after the other has made of it", () => {
    const placed = placedPlane({ maps: [turn, { ...map, a: 1, b: 1, c: 0, d: 1 }], vectors: [{ ...u, to: { x: 0, y: 1 } }] }, narration);
    const { from, takes } = firstMove(placed);
    const names = ["u", "R\\,u", "A\\,R\\,u"];
    expect([0, from + takes, placed.durationMs].map((at) => namesAt(placed, names, at))).to.deep.equal([["u"], ["R\\,u"], ["A\\,R\\,u"]]);
  });

  it("is there all the time, also while it changes", () => {
    const placed = placedPlane({ maps: [map], vectors: [u, { ...w, cue: "arrows" }] }, narration);
    const { from, takes } = firstMove(placed);
    for (let at = from; at < from + takes; at += 20) {
      expect(namesAt(placed, ["u", "3\\,u"], at), `at ${at} ms`).to.not.be.empty;
      expect(namesAt(placed, ["w", "A\\,w"], at), `at ${at} ms`).to.not.be.empty;
    }
  });

  it("changes with the line beside the plane as the movement comes to rest", () => {
    const placed = placedPlane({ maps: [map], vectors: [w] }, narration);
    const move = firstMove(placed);
    const [name] = itemsOf(placed, "w", "plane");
    const [line] = itemsOf(placed, "w = (-1,\\, 0)", "beside");
    const [next] = itemsOf(placed, "A\\,w = (-2,\\, -1)", "beside");
    expect([line?.until, next?.from]).to.deep.equal([name?.until, name?.until]);
    const at = name?.until ?? 0;
    expect(at).to.be.below(move.from + move.takes);
    expect(shareAt(move, at)).to.be.within(0.98, 0.999);
  });

  it("goes to the side where another arrow lies beyond the tip", () => {
    const vectors = [
      { name: "e1", to: { x: 1, y: 0 }, cue: "" },
      { name: "v", to: { x: 3, y: 1 }, cue: "" },
    ];
    const placed = placedPlane({ centre: { x: 0.8, y: 1.2 }, extent: 2.6, maps: [{ ...turn, cue: "map moves" }], vectors }, narration);
    const [name] = itemsOf(placed, "R\\,e_{1}", "plane");
    expect(name?.beyond?.turn).to.not.equal(0);
  });

  it("stays short where the long one has no room", () => {
    const around = [-1, 0, 1].flatMap((x) => [-0.5, 0.5].map((y) => ({ at: { x: x / 2, y: 1 + y }, cue: "" })));
    const sides = [-0.5, 0.5].map((x) => ({ at: { x, y: 1 }, cue: "" }));
    const maps = [{ ...turn, cue: "map moves" }];
    const placed = placedPlane({ maps, vectors: [{ ...u, to: { x: 1, y: 0 } }], points: [...around, ...sides] }, narration);
    expect(namesAt(placed, ["u", "R\\,u"], placed.durationMs)).to.deep.equal(["u"]);
  });

  it("is zero where a map has crushed it, beside where it was", () => {
    const vectors = [
      { ...u, to: { x: 0, y: 1 } },
      { ...w, to: { x: 2, y: 1 } },
    ];
    const placed = placedPlane({ maps: [{ ...map, a: 1, b: 0, c: 0, d: 0 }], vectors }, narration);
    const { durationMs } = placed;
    expect(namesAt(placed, ["u", "0"], durationMs)).to.deep.equal(["0"]);
    const [zero, arrow] = [itemsOf(placed, "0", "plane")[0] ?? expect.fail("no zero"), placed.items.find(({ moves }) => moves)];
    const { x, y, width, height } = boxAt(zero, durationMs);
    const origin = arrow?.moves?.[0]?.about ?? expect.fail("no origin");
    const [right, down] = [x + width / 2 - origin.x, y + height / 2 - origin.y];
    expect(Math.hypot(right, down)).to.be.closeTo(30, 2);
    // Neither axis lies on it.
    expect(right).to.be.above(width / 2);
    expect(-down).to.be.above(height / 2);
  });

  it("stands beside an axis that its arrow lies along, away from the numbers", () => {
    const placed = placedPlane(
      {
        vectors: [
          { ...u, to: { x: 1, y: 0 } },
          { ...w, to: { x: 0, y: 1 } },
        ],
      },
      narration,
    );
    const [across, up] = ["u", "w"].map((name) => itemsOf(placed, name, "plane")[0]?.box ?? expect.fail("no name"));
    const [first, second] = placed.items.flatMap((item) => (item.kind === "line" && item.tip ? [item.tip] : []));
    expect((across?.y ?? 0) + (across?.height ?? 0)).to.be.below(first?.y ?? 0);
    expect(up?.x).to.be.above(second?.x ?? 0);
  });

  it("stands in the picture wherever its arrow was at first", () => {
    const vectors = [{ ...w, to: { x: -3.7, y: 0 } }];
    const placed = placedPlane({ maps: [{ ...map, a: 0.5, b: 0, c: 0.2, d: 1 }], vectors }, narration, "9:16");
    expect(namesAt(placed, ["w", "A\\,w"], placed.durationMs)).to.deep.equal(["A\\,w"]);
  });

  it("never covers another name where the plane stands still", () => {
    const placed = placedPlane({ maps: [map], vectors: [u, w, { name: "v", to: { x: 0, y: -1 }, cue: "" }] }, narration);
    const names = placed.items.filter((item) => item.kind === "glyphs" && item.part === "plane" && isShownAt(item, placed.durationMs));
    const boxes = names.map((item) => boxAt(item, placed.durationMs));
    expect(boxes).to.have.length(3);
    for (const [index, one] of boxes.entries())
      for (const other of boxes.slice(index + 1)) expect(meetsBox(one, other), JSON.stringify([one, other])).to.equal(false);
  });
});
