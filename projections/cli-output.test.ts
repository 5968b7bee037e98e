import { expect } from "chai";
import { verdictSummary } from "./cli-output.ts";

describe("the outcome of a verification", () => {
  const verdict = (name: string, behind: boolean) => ({ name, position: "7", rows: 3, behind, differences: [] });

  it("says that all match only when none is behind its events", () => {
    expect(verdictSummary([verdict("sync", false), verdict("courses", false)])).to.equal("All 2 read models match their events");
    expect(verdictSummary([verdict("sync", false), verdict("courses", true)])).to.match(/^courses is behind the events/);
  });
});
