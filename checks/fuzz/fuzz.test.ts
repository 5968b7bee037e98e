import { expect } from "chai";
import { fuzz } from "./fuzz.ts";

describe("odd requests to every route of the whole program", function () {
  this.timeout(600_000);
  it("are all answered: by what they ask for, or by a problem that says what is wrong; and no planted credential is told, logged or kept", async () => {
    // The same ones each time; `npm run fuzz` sends others, and more.
    const { failures } = await fuzz({ cases: 400, seed: 20_261_121 });
    expect(failures.join("\n")).to.equal("");
  });
});
