import { expect } from "chai";
import { findingsText, ok, warning } from "./finding.ts";
import { certificateFinding, clockFinding, roundTripFinding, scavengeFindings, versionFinding } from "./judge.ts";

describe("what an event store's answers mean", () => {
  const dayMs = 24 * 60 * 60 * 1_000;
  const now = Date.parse("2026-11-24T12:00:00Z");

  it("fails a version below the lowest that is supported", () => {
    for (const version of ["23.10.0", "23.10.5.0", "24.2.0", "25.0.1"]) expect(versionFinding(version).level, version).to.equal("ok");
    for (const version of ["23.6.3", "22.10.2", "5.0.11"]) expect(versionFinding(version).level, version).to.equal("failure");
    expect(versionFinding("unknown").level).to.equal("warning");
  });

  it("warns of a node without a scavenge within a week", () => {
    const members = [
      { name: "a", port: 2113 },
      { name: "b", port: 2113 },
    ];
    const last = [
      { node: "a:2113", at: now - 2 * dayMs },
      { node: "b:2113", at: now - 8 * dayMs },
    ];
    const findings = scavengeFindings(last, members, now);
    expect(findings.map(({ level, text }) => [level, text.slice(0, 40)])).to.deep.equal([
      ["warning", "b:2113 had its last scavenge 8 days ago."],
    ]);
    expect(findings[0]?.text).to.include("npm run eventstore:scavenge");
    expect(scavengeFindings(last.slice(0, 1), [], now)).to.deep.equal([ok("scavenge", "last on 2026-11-22")]);
    expect(scavengeFindings([], [], now)[0]?.level).to.equal("warning");
  });

  it("warns of a certificate that ends within a month, and of a connection others can read", () => {
    const level = (certificateEnds: number | null, isEmbedded = false) =>
      certificateFinding("a:2113", { certificateEnds, isEmbedded }, now).level;
    expect([level(now + 40 * dayMs), level(now + 20 * dayMs), level(null), level(null, true)]).to.deep.equal([
      "ok",
      "warning",
      "warning",
      "ok",
    ]);
  });

  it("warns of a clock that is off, and of a store that is far away", () => {
    expect(clockFinding("a:2113", null)).to.deep.equal([]);
    expect(clockFinding("a:2113", 900)[0]?.level).to.equal("ok");
    expect(clockFinding("a:2113", -61_000)[0]?.text).to.match(/^The clock of a:2113 is 61 s behind this machine's\./);
    expect(roundTripFinding([90, 3, 80]).level).to.equal("ok");
    expect(roundTripFinding([90, 70, 80]).level).to.equal("warning");
  });

  it("is one line for each finding", () => {
    expect(findingsText([ok("clock", "agrees"), warning("scavenge", "None.")]).split("\n")).to.deep.equal([
      "ok       clock     agrees",
      "WARNING  scavenge  None.",
      "2 findings: no failures, 1 warning",
    ]);
  });
});
