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

  it("draws bars below the rows of a tall picture, and uses its height", () => {
    const placed = place("9:16");
    const bars = placed.items.filter((item) => item.kind === "line" && item.motion === "draw" && !item.mark);
    expect(Math.max(...bars.map(({ box }) => box.width))).to.be.greaterThan(400);
    const [first, last] = [textOf(placed, "Aller"), textOf(placed, "Oder")];
    expect((last?.box.y ?? 0) - (first?.box.y ?? 0)).to.be.greaterThan(250);
    expect(first?.kind === "text" && first.size).to.equal(48);
  });

  it("refuses bars of words and cells without room", () => {
    expect(refusedBecause({ bars: 0 })).to.match(/all numbers/u);
    const long = "a cell with so many words that it takes four lines ".repeat(3).slice(0, 88);
    const rows = Array.from({ length: 8 }, () => [long, long, long, long]);
    expect(refusedBecause({ columns: ["A", "B", "C", "D"], rows, sortBy: -1, bars: -1 })).to.match(/does not fit/u);
  });

  const flags = {
    heading: "What is counted",
    columns: ["Flag", "Before", "Unit", "After"],
    rows: [
      ["-l", "4", "lines", "6"],
      ["-w", "9", "words", "9"],
      ["-c", "20", "bytes", "31"],
    ],
    sortBy: -1,
    bars: -1,
  };
  const told =
    "Count lines, words and bytes before and after the change. Now set the two beside each other: lines and bytes differ, words do not.";
  const comparing = (compared: object, words = told, aspect: (typeof aspects)[number] = "16:9") =>
    placeScene(sceneOf("table", { ...content, ...flags, compared: { cue: "beside each", ...compared } } as never, words), {
      aspect,
      language: "en",
      seconds: 12,
    });
  const placedOf = (made: ReturnType<typeof comparing>): Placed => (made.kind === "placed" ? made : expect.fail(made.findings.join("; ")));
  const middleOf = (placed: Placed, text: string): { x: number; y: number } => {
    const item = textOf(placed, text);
    const [, , , , right, down] = poseOf(item?.moves ?? [], placed.durationMs) ?? [1, 0, 0, 1, 0, 0];
    const { x, y, width, height } = item?.box ?? { x: 0, y: 0, width: 0, height: 0 };
    return { x: x + width / 2 + right, y: y + height / 2 + down };
  };
  const marksOf = ({ items }: Placed) => items.filter((item) => item.kind === "box" && item.stroke === "accent");
  const isMarked = (placed: Placed, text: string): boolean => {
    const { x, y } = middleOf(placed, text);
    return marksOf(placed).some(({ box }) => x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height);
  };

  for (const aspect of aspects) {
    it(`brings two columns together and marks the cells that differ (${aspect})`, () => {
      const placed = placedOf(comparing({ of: "columns", first: 1, second: 3 }, told, aspect));
      const [before, after, unit] = ["Before", "After", "Unit"].map((text) => middleOf(placed, text).x) as [number, number, number];
      expect(before < after && after < unit).to.equal(true);
      expect(["4", "6", "20", "31", "9", "lines"].map((text) => isMarked(placed, text))).to.deep.equal([
        true,
        true,
        true,
        true,
        false,
        false,
      ]);
    });

    it(`brings two rows together and marks the cells that differ (${aspect})`, () => {
      const placed = placedOf(comparing({ of: "rows", first: 0, second: 2 }, told, aspect));
      const [first, second, other] = ["-l", "-c", "-w"].map((text) => middleOf(placed, text).y) as [number, number, number];
      expect(first < second && second < other).to.equal(true);
      expect(["4", "20", "lines", "bytes", "-l", "words"].map((text) => isMarked(placed, text))).to.deep.equal([
        true,
        true,
        true,
        true,
        false,
        false,
      ]);
    });
  }

  it("marks what differs only once it stands beside each other", () => {
    const placed = placedOf(comparing({ of: "columns", first: 1, second: 3 }));
    const arrives = Math.max(
      ...placed.items.flatMap(({ moves = [], kind }) => (kind === "text" ? moves.map(({ from, takes }) => from + takes) : [])),
    );
    for (const { from } of marksOf(placed)) expect(from).to.be.above(arrives);
  });

  const uncompared: [what: string, compared: object, finding: RegExp, words?: string][] = [
    ["a row beside itself", { of: "rows", first: 1, second: 1 }, /no two such rows/u],
    ["a column that is not there", { of: "columns", first: 1, second: 4 }, /no two such columns/u],
    ["a cue that is not spoken", { of: "rows", first: 0, second: 1, cue: "the sea" }, /does not have the words/u],
    ["what comes before it can be read", { of: "rows", first: 0, second: 1, cue: "Count" }, /before the table can be read/u],
    ["what comes too late", { of: "columns", first: 1, second: 3, cue: "do not" }, /too little time to compare/u],
  ];
  for (const [what, compared, finding] of uncompared)
    it(`refuses to compare ${what}`, () => {
      const made = comparing(compared);
      expect(made.kind === "refused" ? made.findings.join(" ") : "placed").to.match(finding);
    });

  it("refuses to compare what is the same, and a table that is sorted too", () => {
    const same = {
      ...flags,
      rows: flags.rows.map(([flag = ""]) => [flag, "1", "of", "1"]),
      compared: { of: "columns", first: 1, second: 3, cue: "Oder" },
    };
    expect(refusedBecause(same)).to.match(/columns that are compared do not differ/u);
    expect(refusedBecause({ compared: { of: "rows", first: 0, second: 1, cue: "Oder" } })).to.match(/sorted or compared/u);
  });
});
