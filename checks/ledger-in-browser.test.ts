import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportLines } from "@colloquy/infra/ledger/export.ts";
import { openLedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import { verifyLedger } from "@colloquy/infra/ledger/verify.ts";
import { checkLedger } from "@colloquy/ui/audit/ledger/check.ts";
import { expect } from "chai";
import { alterationKinds, altered } from "./tutor-evaluation/alterations.ts";
import { forged, honest, ledgerOf, opened } from "./tutor-evaluation/forgeries.ts";
import { learnerKinds, seeded } from "./tutor-evaluation/learners.ts";
import { simulateSession } from "./tutor-evaluation/simulate.ts";

describe("the browser's check of a ledger", function () {
  this.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), "ledger-"));
  const forgery = mkdtempSync(join(tmpdir(), "ledger-"));
  after(() => {
    for (const made of [folder, forgery]) rmSync(made, { recursive: true, force: true });
  });
  const made = () => "2026-01-01T00:00:00.000Z";
  const signer = openLedgerSigner({ DATA_DIR: folder }, made);
  const forger = openLedgerSigner({ DATA_DIR: forgery }, made);
  const exported = (seed: number): string => {
    const kind = learnerKinds[seed % learnerKinds.length] as (typeof learnerKinds)[number];
    const { state, records } = simulateSession(kind, { sessionId: `session-${seed}`, objectives: 2, random: seeded(seed), signer });
    return exportLines(state.sessionId, records, signer, "2026-02-01T00:00:00.000Z");
  };

  it("accepts a ledger that the service signed and reads the same entries", async () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const text = exported(seed);
      const found = await checkLedger(text, signer.keys());
      expect(found.fault).to.equal(null);
      expect(found.signed).to.equal(true);
      expect(found.entries).to.deep.equal(verifyLedger(text).entries);
      expect(found.keyIds).to.deep.equal(signer.keys().map(({ keyId }) => keyId));
    }
  });

  it("finds the same fault as the service's own check", async () => {
    const random = seeded(7);
    for (const kind of alterationKinds)
      for (let count = 0; count < 25; count += 1) {
        const text = altered(kind, exported(count % 12), random, forger);
        const expected = verifyLedger(text, signer.keys()).fault;
        expect(expected, kind).to.not.equal(null);
        const { fault } = await checkLedger(text, signer.keys());
        // Where a field has another form, this check may see it first in what it does to the hash.
        if (expected?.code !== "unreadable" || fault?.code === "unreadable")
          expect(fault, kind).to.deep.equal({ line: expected?.line, index: expected?.index, code: expected?.code });
        else expect(fault, kind).to.include({ line: expected.line });
      }
  });

  for (const [name, { code, told }] of Object.entries(forged))
    it(`rejects a ledger that is ${name}, signed by the service`, async () => {
      const { fault } = await checkLedger(ledgerOf(told, signer), signer.keys());
      expect(fault).to.deep.equal({ line: told.length, index: told.length - 1, code });
    });

  for (const [name, told] of Object.entries(honest))
    it(`accepts a ledger with ${name}`, async () => {
      expect((await checkLedger(ledgerOf(told, signer), signer.keys())).fault).to.equal(null);
    });

  it("rejects a signature from before its key was made", async () => {
    const keys = signer.keys().map((key) => ({ ...key, createdAt: "2026-03-01T00:00:00.000Z" }));
    expect((await checkLedger(ledgerOf([opened()], signer), keys)).fault).to.deep.include({ line: 2, code: "early" });
  });

  it("rejects the key of another service", async () => {
    expect((await checkLedger(exported(1), forger.keys())).fault?.code).to.equal("untrusted");
  });
});
