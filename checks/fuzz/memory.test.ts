import { expect } from "chai";
import { memoryLeaks } from "./memory.ts";

const looks = (...taken: number[]): Record<string, number>[] => taken.map((mebibytes) => ({ api: mebibytes }));

describe("the memory of a service under random requests", () => {
  it("may be taken at first, and come and go", () => {
    expect(memoryLeaks(looks(60, 150, 200, 260, 300, 300, 305, 290, 310, 300, 308, 302))).to.deep.equal([]);
    expect(memoryLeaks(looks(60, 100, 100, 100, 100, 100, 100, 100, 400, 100, 400, 100))).to.deep.equal([]);
  });

  it("may not go on growing", () => {
    expect(memoryLeaks(looks(...Array.from({ length: 11 }, (_, tenth) => 60 + tenth * 50)))).to.deep.equal([
      "the memory of api grew from 360 to 510 MiB",
    ]);
  });
});
