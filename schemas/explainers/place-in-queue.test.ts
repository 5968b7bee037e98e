import { expect } from "chai";
import { aheadOf, type Waiting } from "./place-in-queue.ts";

/** "a1" waits and belongs to a, "b2!" is being made for b; in the order in which they were approved. */
const jobs = (...names: string[]): Waiting[] =>
  names.map((name, index) => ({
    jobId: name.replace("!", ""),
    accountId: name.slice(0, 1),
    state: name.endsWith("!") ? "rendering" : "queued",
    queuedAt: `2026-11-21T16:00:${String(index).padStart(2, "0")}Z`,
  }));

describe("the place of a film that waits", () => {
  const cases: [string, string, string[], number | null][] = [
    ["alone", "a1", ["a1"], 0],
    ["behind one's own", "a3", ["a1", "a2", "a3"], 2],
    ["one of another that came later may still be first", "a1", ["a1", "b1"], 1],
    ["of many of another only as many as turns", "a1", ["b1", "b2", "b3", "b4", "a1"], 1],
    ["each of one's own is a turn", "a2", ["b1", "b2", "b3", "b4", "a1", "a2"], 3],
    ["who has films being made waits longer", "a2", ["a1!", "b1", "b2", "b3", "a2"], 2],
    ["what others have being made does not wait", "a1", ["b1!", "c1!", "a1"], 0],
    ["being made", "a1", ["a1!"], null],
    ["not there", "z9", ["a1"], null],
  ];
  for (const [name, jobId, names, ahead] of cases) it(name, () => expect(aheadOf(jobId, jobs(...names))).to.equal(ahead));
});
