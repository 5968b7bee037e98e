import type { SceneOf } from "@colloquy/schemas/explainers/storyboard.ts";
import { expect } from "chai";
import { tableFindings } from "./table.ts";

const texts = ["Four rivers\nRiver\tEnds in\tKilometres\nAller\tWeser\t260\nElbe\tNorth Sea\t1094\nOder\tBaltic Sea\t840"];
const base = { heading: "Rivers", columns: ["River", "Kilometres"], sortBy: -1, descending: false, bars: -1 };
const found = (content: object, narration = "Rivers.", from: readonly string[] = texts): string =>
  tableFindings({ content: { ...base, ...content }, narration } as SceneOf<"table">, from)
    .map(({ detail }) => detail)
    .join();

describe("the check of a table", () => {
  it("passes some rows and columns of a table of the course", () => {
    expect(
      found({
        rows: [
          ["Aller", "260"],
          ["Oder", "840"],
        ],
        bars: 1,
      }),
    ).to.equal("");
  });

  it("refuses a cell of another row, and rows in another order", () => {
    expect(
      found({
        rows: [
          ["Aller", "840"],
          ["Oder", "840"],
        ],
      }),
    ).to.match(/No table/u);
    expect(
      found({
        rows: [
          ["Oder", "840"],
          ["Aller", "260"],
        ],
      }),
    ).to.match(/No table/u);
  });

  it("refuses a cell under another head", () => {
    expect(
      found({
        columns: ["River", "Ends in"],
        rows: [
          ["Aller", "260"],
          ["Oder", "840"],
        ],
      }),
    ).to.match(/No table/u);
  });

  it("refuses bars of words, and columns that are not there", () => {
    expect(
      found({
        rows: [
          ["Aller", "260"],
          ["Oder", "840"],
        ],
        bars: 0,
      }),
    ).to.match(/numbers/u);
    expect(
      found({
        rows: [
          ["Aller", "260"],
          ["Oder", "840"],
        ],
        sortBy: 3,
      }),
    ).to.match(/no such column/u);
  });

  it("refuses to sort by numbers of several units", () => {
    const shares = [
      ["Aller", "50 %"],
      ["Oder", "3"],
    ];
    const sorted = (sortBy: number) => found({ rows: shares, sortBy }, "x.", ["River\tKilometres\nAller\t50 %\nOder\t3"]);
    expect(sorted(1)).to.match(/numbers of one unit/u);
    expect(sorted(0)).to.equal("");
  });

  const rows = [
    ["Aller", "260"],
    ["Oder", "840"],
  ];
  const compared = { of: "rows", first: 0, second: 1, cue: "beside" };
  it("takes rows and columns that the words name", () => {
    expect(found({ rows, compared }, "The Oder beside the Aller.")).to.equal("");
    expect(found({ rows, compared: { ...compared, of: "columns" } }, "A river beside its kilometres.")).to.equal("");
  });
  it("refuses to compare what the words do not name", () => {
    expect(found({ rows, compared }, "The Oder beside the other.")).to.match(/“Aller” is compared/u);
    expect(found({ rows, compared: { ...compared, of: "columns" } }, "Rivers beside each other.")).to.match(/“River” is compared/u);
  });
  it("refuses to compare a column without a name", () => {
    const sums = ["\tKilometres\nAller\t260\nOder\t840"];
    const across = { ...compared, of: "columns" };
    expect(found({ columns: ["", "Kilometres"], rows, compared: across }, "The kilometres beside it.", sums)).to.match(/without a name/u);
  });
});
