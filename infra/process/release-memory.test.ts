import { setTimeout as pause } from "node:timers/promises";
import { getHeapStatistics } from "node:v8";
import { expect } from "chai";
import { releaseMemoryWhenQuiet } from "./release-memory.ts";

const megabytes = (): number => getHeapStatistics().total_heap_size / 1_048_576;
/** Objects that outlive several collections of the young generation, and are then dropped. */
function useMemory(): void {
  const used = Array.from({ length: 1_500_000 }, (_, index) => ({ index }));
  expect(used).to.have.length(1_500_000);
}

describe("the memory of a quiet process", () => {
  let stop: () => void;
  afterEach(() => stop());

  it("is released", async () => {
    useMemory();
    const before = megabytes();
    stop = releaseMemoryWhenQuiet({ everyMs: 30 });
    while (megabytes() > before - 30) await pause(10);
  });

  it("is kept while the process works", async () => {
    useMemory();
    const before = megabytes();
    stop = releaseMemoryWhenQuiet({ everyMs: 30 });
    for (const until = performance.now() + 300; performance.now() < until; await pause(0)) {
      for (const busy = performance.now() + 10; performance.now() < busy; );
    }
    expect(megabytes()).to.be.above(before - 30);
  });
});
