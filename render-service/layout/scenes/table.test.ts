import type { Item, Placed } from "@colloquy/schemas/explainers/placed.ts";
import { expect } from "chai";
import { poseOf } from "../../frames/moves.ts";
import { placeScene } from "../place.ts";
import { aspects, sceneOf } from "../testing/scenes.ts";

const content = {
  heading: "Rivers",
  columns: ["River", "Kilometres"],
  rows: [
    ["Aller", "260"],
    ["Elbe", "1094"],
    ["Oder", "840"],
  ],
  sortBy: 1,
  descending: true,
  bars: 1,
};
const narration = "The Aller is short, the Elbe is much longer, and the Oder comes close to it. In order, the longest one comes first.";
const result = (more: object = {}, aspect: (typeof aspects)[number] = "16:9") =>
  placeScene(sceneOf("table", { ...content, ...more }, narration), { aspect, language: "en", seconds: 12 });
function place(aspect: (typeof aspects)[number] = "16:9"): Placed {
  const placed = result({}, aspect);
  return placed.kind === "placed" ? placed : expect.fail(placed.findings.join("; "));
}
const textOf = ({ items }: Placed, text: string): Item | undefined => items.find((item) => item.kind === "text" && item.text === text);
const refusedBecause = (more: object): string => {
  const placed = result(more);
  return placed.kind === "refused" ? placed.findings.join(" ") : "";
};

describe("a table", () => {
  for (const aspect of aspects) {
    it(`shows each row when it is spoken of (${aspect})`, () => {
      const placed = place(aspect);
      const times = ["Aller", "Elbe", "Oder"].map((name) => textOf(placed, name)?.from ?? 0);
      expect(times).to.deep.equal(times.toSorted((one, other) => one - other));
    });

    it(`moves rows to where they are sorted (${aspect})`, () => {
      const placed = place(aspect);
      const heightOf = (name: string): number => {
        const item = textOf(placed, name);
        return (item?.box.y ?? 0) + (poseOf(item?.moves ?? [], placed.durationMs)?.[5] ?? 0);
      };
      expect(heightOf("Elbe")).to.be.lessThan(heightOf("Oder"));
      expect(heightOf("Oder")).to.be.lessThan(heightOf("Aller"));
    });
  }

  it("draws bars as long as their numbers", () => {
    const bars = place().items.filter((item) => item.kind === "line" && item.motion === "draw" && !item.mark);
    const [aller = 0, elbe = 1] = bars.map(({ box }) => box.width);
    expect(aller / elbe).to.be.closeTo(260 / 1094, 0.001);
  });

  it("refuses bars of words and cells without room", () => {
    expect(refusedBecause({ bars: 0 })).to.match(/all numbers/u);
    const long = "a cell with so many words that it takes four lines ".repeat(3).slice(0, 88);
    const rows = Array.from({ length: 8 }, () => [long, long, long, long]);
    expect(refusedBecause({ columns: ["A", "B", "C", "D"], rows, sortBy: -1, bars: -1 })).to.match(/does not fit/u);
  });
});
