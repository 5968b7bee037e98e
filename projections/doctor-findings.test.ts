import { expect } from "chai";
import { checkpointFindings } from "./doctor-findings.ts";

describe("the examination of read models", () => {
  const row = { name: "sync", position: "7", state: "running", failure: null, generation: 1, lagMs: 0 };

  it("is well when none is behind", () => {
    expect(checkpointFindings([row], 1)).to.deep.equal([{ subject: "read models", level: "ok", text: "1, none behind the events" }]);
  });

  it("fails for one that stopped or that is ahead of the store", () => {
    const levels = (state: string) => checkpointFindings([{ ...row, state, failure: "Noted 1" }], 1).map(({ level }) => level);
    expect([levels("failed"), levels("ahead")]).to.deep.equal([["failure"], ["failure"]]);
  });

  it("warns of one that is late, and that nobody builds", () => {
    expect(checkpointFindings([{ ...row, lagMs: 40_000 }], 1)[0]?.text).to.equal("sync is 40 s behind the events.");
    expect(checkpointFindings([{ ...row, lagMs: 40_000 }], 0)[0]?.text).to.match(/Start the program\.$/);
    expect(checkpointFindings([], 0)[0]?.level).to.equal("warning");
  });
});
