import { expect } from "chai";
import { limitConcurrency } from "./limit-concurrency.ts";

describe("so many at a time", () => {
  it("lets the next one in when one is over, in the order they came, however it ended", async () => {
    const inside = limitConcurrency(2);
    const begun: number[] = [];
    const jobs = [0, 1, 2, 3].map(() => Promise.withResolvers<void>());
    const over = jobs.map(({ promise }, number) =>
      inside(() => {
        begun.push(number);
        return promise;
      }).catch((error: Error) => error.message),
    );
    expect(begun).to.deep.equal([0, 1]);
    jobs[1]?.reject(new Error("it failed"));
    expect(await over[1]).to.equal("it failed");
    expect(begun).to.deep.equal([0, 1, 2]);
    for (const { resolve } of jobs) resolve();
    await Promise.all(over);
    expect(begun).to.deep.equal([0, 1, 2, 3]);
  });
});
