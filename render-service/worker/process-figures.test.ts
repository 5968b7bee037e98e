import { setImmediate as turn } from "node:timers/promises";
import { expect } from "chai";
import { processFigures } from "./process-figures.ts";

describe("what a worker's process tells of itself", () => {
  it("is late where something held it up, for a stretch and no longer", async () => {
    let time = 0;
    const figures = processFigures(
      () => ({ worker: "worker-1", isolation: "bubblewrap", encoder: true }),
      () => time,
    );
    const delay = (): number => figures().loopDelayMicroseconds;
    // Until it measures.
    while (delay() < 1_000) await turn();
    for (const end = performance.now() + 300; performance.now() < end; );
    while (delay() < 200_000) await turn();
    const late = delay();
    time = 10_000;
    expect(delay(), "the stretch that has just ended").to.equal(late);
    // The next one begins without it, and is told once it has ended.
    expect(delay()).to.equal(late);
    // A busy machine may hold it up again, in one stretch or another.
    while (delay() >= late) {
      await turn();
      time += 10_000;
    }
  });
});
