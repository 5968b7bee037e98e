import { expect } from "chai";
import { BoundedMap } from "./bounded-map.ts";

describe("BoundedMap", () => {
  it("evicts the entry that was set least recently", () => {
    const map = new BoundedMap<string, number>(2);
    map.set("a", 1).set("b", 2).set("a", 3).set("c", 4);
    expect([...map]).to.deep.equal([
      ["a", 3],
      ["c", 4],
    ]);
  });
});
