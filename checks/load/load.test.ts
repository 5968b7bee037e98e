import { expect } from "chai";
import { kneeOf, search } from "./knee.ts";
import { createRecorder } from "./recorder.ts";
import { slope } from "./soak.ts";
import { keptGoals, missedGoals } from "./tables.ts";
import { type LoadTarget, startTarget } from "./target.ts";

describe("a load on the whole program", () => {
  let target: LoadTarget;
  before(async function () {
    this.timeout(180_000);
    target = await startTarget({ collect: true });
  });
  after(() => target?.close());

  it("is answered, and every process reports its usage", async function () {
    this.timeout(180_000);
    const seen = await target.load({ learners: 12, seed: 7, rampSeconds: 4, windowSeconds: 8, windows: 2 });
    expect(seen.failures).to.deep.equal({});
    expect(seen.present).to.be.within(10, 16);
    expect(seen.latencies.revision?.count).to.be.greaterThan(5);
    expect(seen.events).to.be.greaterThan(0);
    const parts = seen.use.processes.filter(({ delay, heap }) => delay && heap > 0).map(({ part }) => part);
    expect(parts).to.include.members(["front door", "command API", "query API", "projections", "event store", "generator"]);
    const sizes = target.sizes();
    expect(Math.min(...Object.values(sizes))).to.be.greaterThan(1_000);
  });
});

describe("what is made of a load's figures", () => {
  it("reports missed goals and too many failures, given enough requests", () => {
    const recorder = createRecorder();
    for (let index = 0; index < 100; index += 1) recorder.took("page", index < 90 ? 5 : 2_000);
    for (let index = 0; index < 10; index += 1) recorder.took("push", 9_000);
    const slow = recorder.take();
    expect(missedGoals(slow)).to.have.length(1);
    expect(missedGoals(slow)[0]).to.match(/^page: p95 2,00\d ms/);
    for (let index = 0; index < 999; index += 1) recorder.took("page", 5);
    recorder.failed("page", "503");
    expect(missedGoals(recorder.take())).to.deep.equal([]);
    for (let index = 0; index < 99; index += 1) recorder.took("page", 5);
    recorder.failed("page", "503");
    expect(missedGoals(recorder.take())[0]).to.contain("page: 503");
  });

  it("reports a single rate limit", () => {
    const recorder = createRecorder();
    for (let index = 0; index < 9_999; index += 1) recorder.took("page", 5);
    recorder.failed("page", "429");
    expect(missedGoals(recorder.take())).to.deep.equal(["a limit in ordinary use (page: 429)"]);
    recorder.failed("answer", "rate_limited");
    expect(missedGoals(recorder.take())).to.include("a limit in ordinary use (answer: rate_limited)");
  });

  it("meets the goals only when every window does", () => {
    const recorder = createRecorder();
    const window = (ms: number) => {
      for (let index = 0; index < 30; index += 1) recorder.took("page", ms);
      return recorder.take();
    };
    const [good, bad] = [window(5), window(2_000)];
    expect([[good, good], [good, bad], [bad, good], []].map(keptGoals)).to.deep.equal([true, false, false, false]);
  });

  it("computes the slope without the first window", () => {
    expect(slope([1, 2, 3, 4], [900, 20, 30, 40])).to.be.closeTo(10, 1e-9);
    expect(slope([1, 2], [5, 5])).to.equal(0);
    expect(slope([1], [5])).to.equal(0);
  });

  it("finds a knee above and below the first step, or none", async () => {
    for (const [first, knee] of [
      [100, 1_337],
      [4_000, 1_337],
      [10, 1],
      [10, 0],
    ] as const) {
      const found = await search(first, async (learners) => learners <= knee);
      expect(found).to.be.at.most(knee);
      expect(found).to.be.at.least(knee / 1.15 - 1);
    }
    expect(await search(10, async (learners) => learners <= 1)).to.equal(1);
  });

  it("finds the knee a page tells of", () => {
    expect(kneeOf("before **The knee: 1,350 learners at once** (largest …)")).to.equal(1_350);
    expect(kneeOf("nothing yet")).to.equal(null);
  });
});
