import { expect } from "chai";
import { barsOf, comparedNames, comparedOrder, differingCells, numberIn, sortedRows } from "./table.ts";

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

  it("is not sorted by, and has no bars of, numbers in several units", () => {
    const shares = (...cells: string[]) => ({ rows: cells.map((cell) => ["way", cell]), sortBy: 1, bars: 1, descending: false });
    expect(sortedRows(shares("50 %", "3", "20 %"))).to.equal(null);
    expect(barsOf(shares("50 %", "3", "20 %"))).to.equal(null);
    expect(sortedRows(shares("50 %", "3%", "20 %"))).to.deep.equal([1, 2, 0]);
    expect(barsOf(shares("50 %", "3%", "20 %"))).to.deep.equal([50, 3, 20]);
  });

  it("reads a cell as a number only where all of it is one", () => {
    expect(numberIn(" −3.5 % ")).to.equal(-3.5);
    expect(numberIn("3 files")).to.equal(null);
  });

  const columns = ["River", "Ends in", "Kilometres"];
  const wide = [
    ["Aller", "Weser", "260"],
    ["Elbe", "North Sea", "1094"],
    ["Weser", "North Sea", "452.0"],
    ["Ems", "North Sea", "452"],
  ];
  const compared = { of: "rows", first: 1, second: 2, cue: "beside" } as const;
  it("brings two rows together, in the order in which they are compared", () => {
    expect(comparedOrder(4, { first: 0, second: 2 })).to.deep.equal([0, 2, 1, 3]);
    expect(comparedOrder(4, { first: 3, second: 1 })).to.deep.equal([0, 2, 3, 1]);
  });
  it("finds the cells in which two rows differ, but for their names", () => {
    expect(differingCells({ rows: wide, columns }, compared)).to.deep.equal([
      { row: 1, column: 2 },
      { row: 2, column: 2 },
    ]);
  });
  it("takes equal numbers as equal, however they are written", () => {
    expect(differingCells({ rows: wide, columns }, { ...compared, first: 2, second: 3 })).to.deep.equal([]);
  });
  it("takes a number and so many per cent as different", () => {
    const shares = {
      columns: ["Way", "Kept"],
      rows: [
        ["reading", "5 %"],
        ["recalling", "5"],
        ["asking", "5%"],
      ],
    };
    expect(differingCells(shares, { ...compared, first: 0, second: 1 })).to.have.length(2);
    expect(differingCells(shares, { ...compared, first: 0, second: 2 })).to.deep.equal([]);
  });
  it("finds the cells in which two columns differ, and what names them", () => {
    const rulers = {
      columns: ["Flag", "Before", "After"],
      rows: [
        ["-l", "1", "2"],
        ["-w", "5", "5"],
      ],
    };
    const across = { ...compared, of: "columns" } as const;
    expect(differingCells(rulers, across)).to.deep.equal([
      { row: 0, column: 1 },
      { row: 0, column: 2 },
    ]);
    expect(comparedNames(rulers, across)).to.deep.equal(["Before", "After"]);
    expect(comparedNames({ rows: wide, columns }, compared)).to.deep.equal(["Elbe", "Weser"]);
  });
});
