import type { SceneOf } from "@colloquy/schemas/explainers/storyboard.ts";
import { expect } from "chai";
import { tableFindings } from "./table.ts";

const texts = ["Four rivers\nRiver\tEnds in\tKilometres\nAller\tWeser\t260\nElbe\tNorth Sea\t1094\nOder\tBaltic Sea\t840"];
const base = { heading: "Rivers", columns: ["River", "Kilometres"], sortBy: -1, descending: false, bars: -1 };
const found = (content: object): string =>
  tableFindings({ content: { ...base, ...content } } as SceneOf<"table">, texts)
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
});
