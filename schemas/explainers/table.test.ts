import { expect } from "chai";
import { barsOf, numberIn, sortedRows } from "./table.ts";

const rows = [
  ["Aller", "260"],
  ["Elbe", "1094"],
  ["Oder", "840"],
];

describe("a table of a scene", () => {
  it("is sorted by numbers as numbers, by words as words", () => {
    expect(sortedRows({ rows, sortBy: 1, descending: true })).to.deep.equal([1, 2, 0]);
    expect(sortedRows({ rows, sortBy: 0, descending: true })).to.deep.equal([2, 1, 0]);
    expect(sortedRows({ rows, sortBy: -1, descending: false })).to.equal(null);
  });

  it("has bars only of a column of numbers", () => {
    expect(barsOf({ rows, bars: 1 })).to.deep.equal([260, 1094, 840]);
    expect(barsOf({ rows, bars: 0 })).to.equal(null);
  });

  it("reads a cell as a number only where all of it is one", () => {
    expect(numberIn(" −3.5 % ")).to.equal(-3.5);
    expect(numberIn("3 files")).to.equal(null);
  });
});
