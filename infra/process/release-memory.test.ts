import { execFile } from "node:child_process";
import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";
import { promisify } from "node:util";
import { expect } from "chai";
import { releaseMemoryWhenQuiet } from "./release-memory.ts";

/** Fills its heap, empties it, and ends once it is 30 MB smaller. */
const grown = `
import { setTimeout as pause } from "node:timers/promises";
import { getHeapStatistics } from "node:v8";
import { releaseMemoryWhenQuiet } from ${JSON.stringify(new URL("release-memory.ts", import.meta.url).href)};
const bytes = () => getHeapStatistics().total_heap_size;
const used = Array.from({ length: 1_500_000 }, (_, index) => ({ index }));
const before = used.length > 0 ? bytes() : 0;
used.length = 0;
// On a busy machine, short measurements would find the process working.
releaseMemoryWhenQuiet({ everyMs: 500 });
while (bytes() > before - 30 * 1_048_576) await pause(100);
process.stdout.write("released");
`;

describe("the memory of a quiet process", () => {
  let stop: (() => void) | undefined;
  afterEach(() => stop?.());

  it("is released", async () => {
    // In a process of its own: what other tests left running could keep this one from ever being quiet.
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", grown]);
    expect(stdout).to.equal("released");
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
    // It never waits, because a busy machine would make any wait a long one.
    for (const until = performance.now() + 300; performance.now() < until; ) await turn();
    expect(collected).to.equal(0);
  });
});
