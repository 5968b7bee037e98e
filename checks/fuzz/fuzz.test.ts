import { expect } from "chai";
import { fuzz } from "./fuzz.ts";

describe("random requests to every route of the whole program", function () {
  this.timeout(600_000);
  it("get valid answers or problems, and no credential leaks", async () => {
    // The same ones each time; `npm run fuzz` sends others, and more.
    const { failures } = await fuzz({ cases: 400, seed: 20_261_121 });
    // What the log says comes last, and mocha cuts long texts.
    expect(failures.toReversed().join("\n")).to.equal("");
  });
});
