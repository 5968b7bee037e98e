import { stripVTControlCharacters } from "node:util";
import { expect } from "chai";
import { suppressRepeats, table, warningInLogLine } from "./console.ts";

describe("the console's words", () => {
  it("are the warnings and errors of a service's log, each in one line", () => {
    const line = (entry: object) => warningInLogLine(JSON.stringify(entry));
    expect(line({ level: 30, msg: "started" })).to.equal(null);
    expect(line({ level: 40, msg: "slow" })).to.deep.equal({ severity: "warning", text: "slow" });
    expect(line({ level: 50, msg: "failed", err: { message: "no\nroom", stack: "at x" } })).to.deep.equal({
      severity: "error",
      text: "failed: no room",
    });
    expect(line({ level: 50, err: { message: "failed" }, msg: "failed" })?.text).to.equal("failed");
    expect(line({ level: 60, msg: "x".repeat(1_000) })?.text).to.have.length(300);
    for (const other of ["plain words", "{broken", "{}", "[]", '{"level":"50"}', ""]) expect(warningInLogLine(other)).to.equal(null);
  });

  it("do not flood", () => {
    let now = 0;
    const passes = suppressRepeats(100, () => now);
    expect([passes("a"), passes("a"), passes("b")]).to.deep.equal([true, false, true]);
    now = 100;
    expect(passes("a")).to.equal(true);
  });

  it("stand in columns", () => {
    expect(
      table([
        ["a", "bb", ""],
        ["aaa", "b", "c"],
      ]).map(stripVTControlCharacters),
    ).to.deep.equal(["a     bb", "aaa   b    c"]);
  });
});
