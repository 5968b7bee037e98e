import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import { verifyLedger } from "@colloquy/infra/ledger/verify.ts";
import type { EvidenceEntry } from "@colloquy/schemas/tutor/ledger.ts";
import { initial } from "@colloquy/schemas/tutor/state.ts";
import { expect } from "chai";
import { honest, ledgerOf } from "../../checks/tutor-evaluation/forgeries.ts";
import { differencesIn } from "./differences.ts";

describe("differences between live values and the replay", () => {
  const folder = mkdtempSync(join(tmpdir(), "differences-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const signer = openLedgerSigner({ DATA_DIR: folder }, () => "2026-01-01T00:00:00.000Z");
  const { entries, state: ledger } = verifyLedger(ledgerOf(honest["an end with everything mastered"] ?? [], signer));
  const objectives = [{ objectiveId: "objective-01", title: "Pipes", topicId: "topic-01", topicTitle: "Pipes", href: "/", derived: false }];
  const live = { ...initial, ledger, objectives };
  const factsOf = (all: readonly EvidenceEntry[]) => all.map((entry) => ({ entry, fact: null }));

  it("are none where all is the same", () => {
    expect(differencesIn(factsOf(entries), live, ledger)).to.deep.equal([]);
  });

  it("name a standing that an entry states otherwise", () => {
    const index = entries.length - 2;
    const stated = entries.map((entry) =>
      entry.index === index ? { ...entry, standings: { "objective-01": "confirmed" as const } } : entry,
    );
    expect(differencesIn(factsOf(stated), live, ledger)).to.deep.equal([
      { index, of: "mastery", subject: "Pipes, standing after this entry", live: "confirmed", replay: "provisional" },
    ]);
  });

  it("name a standing that the live state has otherwise", () => {
    const [last] = ledger.answers.slice(-1);
    const confirming = { ...last, itemId: "item-0009", at: "2026-01-20T00:00:00.000Z" } as (typeof ledger.answers)[number];
    const confirmed = { ...live, ledger: { ...ledger, answers: [...ledger.answers, confirming] } };
    expect(differencesIn(factsOf(entries), confirmed, ledger)).to.deep.include({
      index: null,
      of: "mastery",
      subject: "Pipes, standing",
      live: "confirmed",
      replay: "provisional",
    });
  });

  it("accept entries of older versions, which state no standings", () => {
    const older = entries.map(({ standings: _, ...entry }) => entry);
    expect(differencesIn(factsOf(older), live, ledger)).to.deep.equal([]);
  });
});
