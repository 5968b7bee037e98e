import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { initial } from "@colloquy/schemas/tutor/state.ts";
import { sessionView } from "@colloquy/schemas/tutor/view.ts";
import { expect } from "chai";
import { honest, ledgerOf, type Told } from "../../checks/tutor-evaluation/forgeries.ts";
import { openLedgerSigner } from "./keys.ts";
import { verifyLedger } from "./verify.ts";
import { type Statement, xapiStatements } from "./xapi.ts";

describe("a ledger as xAPI statements", () => {
  const folder = mkdtempSync(join(tmpdir(), "xapi-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const signer = openLedgerSigner({ DATA_DIR: folder }, () => "2026-01-01T00:00:00.000Z");
  const mastered = (honest["an end with everything mastered"] ?? []).slice(0, -1);
  const carriedFrom = { sessionId: "session-00000000", entryId: "entry-00000009", at: "2026-01-02T00:00:00.000Z" };
  const carried = mastered.map((told) => (told.kind === "opened" ? told : { ...told, carriedFrom }));
  const statements = (told: readonly Told[], messages: TutorSession["messages"] = []): Statement[] => {
    const { entries, fault } = verifyLedger(ledgerOf(told, signer), signer.keys());
    expect(fault).to.equal(null);
    const objectives = [
      { objectiveId: "objective-01", title: "Pipes", topicId: "topic-01", topicTitle: "Pipes", href: "/", derived: false },
    ];
    const session = sessionView({ ...initial, sessionId: "session-00000001", objectives }, {});
    return xapiStatements(entries, { publicUrl: "https://example.org", learner: "learner", session: { ...session, messages } });
  };
  const verbsOf = (told: readonly Told[]) => statements(told).map(({ verb }) => verb.display.en);

  it("says when an answer raises the standing", () => {
    expect(verbsOf(mastered)).to.deep.equal(["initialized", ...mastered.slice(1).map(() => "answered"), "passed"]);
  });

  it("leaves what was carried from an earlier session to that session", () => {
    expect(verbsOf(carried)).to.deep.equal(["initialized"]);
  });

  it("counts carried answers as evidence", () => {
    const later: Told = { ...(mastered.at(-1) as Told), itemId: "item-0009", correct: false, response: { commitment: "0".repeat(64) } };
    const { question: _, itemDigest: _digest, ...answer } = later;
    const [, told] = statements([...carried, answer]);
    const before = Object.values((told?.result?.extensions ?? {}) as Record<string, Record<string, number>>)[0];
    expect(before?.["objective-01"]).to.be.greaterThan(0.95);
  });

  it("says of own words that the learner compared neither that they were right nor that they were wrong", () => {
    const compared = { kind: "answer", receipt: 1, compared: true } as TutorSession["messages"][number];
    const results = statements(mastered, [compared]).map(({ result }) => result);
    expect(results[1]).to.have.property("completion", true);
    expect(results[1]).to.not.have.any.keys("success", "score");
    expect(results[2]).to.include.keys("success", "score");
  });

  it("has the same ids in every export", () => {
    expect(statements(mastered).map(({ id }) => id)).to.deep.equal(statements(mastered).map(({ id }) => id));
  });
});
