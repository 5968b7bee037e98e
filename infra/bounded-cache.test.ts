import { expect } from "chai";
import { boundedCache } from "./bounded-cache.ts";

describe("boundedCache", () => {
  it("makes a value once for all who ask, and forgets what was not used for longest", async () => {
    const cached = boundedCache<string>(2);
    const made: string[] = [];
    const ask = (key: string) =>
      cached(key, async () => {
        made.push(key);
        return key;
      });
    await Promise.all([ask("a"), ask("a"), ask("b")]);
    await ask("a");
    await ask("c");
    expect(made).to.deep.equal(["a", "b", "c"]);
    await ask("a");
    await ask("b");
    expect(made).to.deep.equal(["a", "b", "c", "b"]);
  });

  it("does not keep a failure", async () => {
    const cached = boundedCache<string>(2);
    const first = await cached("a", () => Promise.reject(new Error("no"))).catch((error: Error) => error.message);
    expect([first, await cached("a", async () => "yes")]).to.deep.equal(["no", "yes"]);
  });
});
