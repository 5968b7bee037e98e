import { setTimeout as pause } from "node:timers/promises";
import { getHeapStatistics } from "node:v8";
import { expect } from "chai";
import { releaseMemoryWhenQuiet } from "./release-memory.ts";

const megabytes = (): number => getHeapStatistics().total_heap_size / 1_048_576;

describe("the memory of a quiet process", () => {
  let stop: () => void;
  afterEach(() => stop());

  it("is released", async () => {
    const used = Array.from({ length: 1_500_000 }, (_, index) => ({ index }));
    const before = used.length > 0 ? megabytes() : 0;
    used.length = 0;
    // On a busy machine, short measurements would find the process working.
    stop = releaseMemoryWhenQuiet({ everyMs: 500 });
    while (megabytes() > before - 30) await pause(100);
  });

  it("is collected once, until it has grown again", async () => {
    let collected = 0;
    stop = releaseMemoryWhenQuiet({ everyMs: 200, collect: () => (collected += 1) });
    while (collected === 0) await pause(50);
    await pause(500);
    expect(collected).to.equal(1);
  });

  it("is left alone while the process works", async () => {
    let collected = 0;
    stop = releaseMemoryWhenQuiet({ everyMs: 30, collect: () => (collected += 1) });
    for (const until = performance.now() + 300; performance.now() < until; await pause(0)) {
      for (const busy = performance.now() + 10; performance.now() < busy; );
    }
    expect(collected).to.equal(0);
  });
});
