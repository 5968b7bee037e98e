import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { canonicalText, chained, commitmentOf } from "@colloquy/infra/ledger/chain.ts";
import { exportLines } from "@colloquy/infra/ledger/export.ts";
import { isEndorsed, type LedgerSigner, openLedgerSigner, rotateLedgerKey } from "@colloquy/infra/ledger/keys.ts";
import { rootHash, treeOf } from "@colloquy/infra/ledger/tree.ts";
import { compareWithHead, headIn, verifyLedger } from "@colloquy/infra/ledger/verify.ts";
import type { EvidenceEntry, LedgerCheckpoint } from "@colloquy/schemas/tutor/ledger.ts";
import { masteryIn } from "@colloquy/schemas/tutor/replay.ts";
import { expect } from "chai";
import fc from "fast-check";
import { forged, honest, ledgerOf, opened } from "./forgeries.ts";
import { learnerKinds, seeded } from "./learners.ts";
import { type SimulatedSession, simulateSession } from "./simulate.ts";

const at = "2026-02-01T00:00:00.000Z";
/** When keys are made: before the sessions. */
const made = "2026-01-01T00:00:00.000Z";
const cli = fileURLToPath(import.meta.resolve("@colloquy/infra/ledger/cli.ts"));

describe("a session's ledger", () => {
  const folder = mkdtempSync(join(tmpdir(), "ledger-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const signer = openLedgerSigner({ DATA_DIR: folder }, () => made);
  const simulated = (seed: number, by: LedgerSigner = signer): SimulatedSession =>
    simulateSession(learnerKinds[seed % learnerKinds.length] as (typeof learnerKinds)[number], {
      sessionId: `session-${seed}`,
      objectives: 2,
      random: seeded(seed),
      signer: by,
    });
  const exported = ({ state, records }: SimulatedSession): string => exportLines(state.sessionId, records, signer, at);

  it("replays from its export to the session's state", () => {
    for (let seed = 0; seed < 40; seed += 1) {
      const session = simulated(seed);
      const { fault, state } = verifyLedger(exported(session), signer.keys());
      expect(fault).to.equal(null);
      expect(state).to.deep.equal(session.state.ledger);
    }
  });

  it("fails verification after any altered byte", () => {
    const bytes = Buffer.from(exported(simulated(1)));
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (place, change) => {
        const altered = Buffer.from(bytes);
        altered[place] = (altered[place] ?? 0) ^ change;
        expect(verifyLedger(altered.toString("latin1"), signer.keys()).fault, `byte ${place} ^ ${change}`).to.not.equal(null);
      }),
      { numRuns: 300 },
    );
  });

  it("fails verification when lines are dropped, doubled, moved or cut off", () => {
    const lines = exported(simulated(2)).trimEnd().split("\n");
    const faultOf = (changed: readonly string[], end = "\n") => verifyLedger(`${changed.join("\n")}${end}`, signer.keys()).fault;
    const place = fc.nat(lines.length - 1);
    fc.assert(
      fc.property(place, (line) => {
        expect(faultOf(lines.toSpliced(line, 1)), `without ${line}`).to.not.equal(null);
        expect(faultOf(lines.toSpliced(line, 0, lines[line] ?? "")), `twice ${line}`).to.not.equal(null);
        expect(faultOf(lines.slice(0, line)), `up to ${line}`).to.not.equal(null);
      }),
    );
    fc.assert(
      fc.property(place, place, (from, to) => {
        fc.pre(lines[from] !== lines[to]);
        const moved = [...lines];
        [moved[from], moved[to]] = [moved[to] ?? "", moved[from] ?? ""];
        expect(faultOf(moved), `${from} for ${to}`).to.not.equal(null);
      }),
    );
    // The opening in another place is no other session's: it is the order that is wrong.
    const [first = "", second = "", ...rest] = lines;
    for (const swapped of [[second, first, ...rest], lines.slice(1)])
      expect(faultOf(swapped)).to.include({ line: 1, code: "opening" }).and.to.have.property("message").that.includes("order");
    expect(faultOf(lines, "")?.code).to.equal("truncated");
    expect(faultOf([])?.code).to.equal("unreadable");
  });

  it("fails verification by signature when the history is hashed anew", () => {
    const session = simulated(3);
    const entries = session.records.flatMap((record) => ("entry" in record ? record.entry : []));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: entries.length - 1 }), (from) => {
        const rewritten: EvidenceEntry[] = entries.slice(0, from);
        for (const { previousHash: _p, hash: _h, ...entry } of entries.slice(from))
          rewritten.push(chained({ ...entry, at: "2026-01-31T03:03:03.000Z" }, rewritten.at(-1)?.hash ?? ""));
        const own = openLedgerSigner({ DATA_DIR: mkdtempSync(join(folder, "forger-")) }, () => made);
        const forge = (checkpoint: LedgerCheckpoint): string => canonicalText({ schemaVersion: 1, checkpoint });
        const tree = treeOf(rewritten.map(({ hash }) => hash));
        const head = { sessionId: session.state.sessionId, before: null, at, final: true };
        const real = signer.checkpoint({ ...head, tree: treeOf(entries.map(({ hash }) => hash)) });
        const lines = rewritten.map((entry) => canonicalText(entry));
        const signedBy = (last: string) => verifyLedger(`${[...lines, last].join("\n")}\n`, signer.keys()).fault?.code;
        expect(signedBy(forge(real))).to.equal("root");
        expect(signedBy(forge({ ...real, rootHash: rootHash(tree) }))).to.equal("signature");
        expect(signedBy(forge(own.checkpoint({ ...head, tree })))).to.equal("untrusted");
      }),
      { numRuns: 20 },
    );
  });

  it("fails verification when mastery does not follow from the answers", () => {
    const session = simulated(4);
    const entries = session.records.flatMap((record) => ("entry" in record ? record.entry : []));
    const lied: EvidenceEntry[] = [];
    for (const { previousHash, hash: _, ...entry } of entries) {
      const claims =
        entry.kind === "probe" && lied.length === 1 ? { masteryAfter: Object.fromEntries(entry.objectiveIds.map((id) => [id, 0.99])) } : {};
      lied.push(chained({ ...entry, ...claims }, lied.at(-1)?.hash ?? previousHash));
    }
    const text = exportLines(
      session.state.sessionId,
      lied.map((entry) => ({ entry })),
      signer,
      at,
    );
    expect(verifyLedger(text, signer.keys()).fault).to.deep.include({ code: "mastery", index: 1, line: 2 });
  });

  it("verifies after a key rotation and trusts keys endorsed by trusted ones", () => {
    const place = mkdtempSync(join(folder, "rotated-"));
    const rotating = openLedgerSigner({ DATA_DIR: place }, () => made);
    const session = simulated(5, rotating);
    const [first] = rotating.keys();
    const keyId = rotateLedgerKey({ DATA_DIR: place }, at);
    const [present, before] = rotating.keys();
    expect(present?.keyId).to.equal(keyId);
    expect(before).to.deep.include({ keyId: first?.keyId, retiredAt: at });
    expect(present && before && isEndorsed(present, before)).to.equal(true);
    const text = exportLines(session.state.sessionId, session.records, rotating, at);
    const verified = verifyLedger(text, rotating.keys());
    expect([verified.fault, verified.keyIds]).to.deep.equal([null, [first?.keyId, keyId]]);
  });

  it("fails verification when a key signed after it was retired", () => {
    const place = mkdtempSync(join(folder, "retired-"));
    const signing = openLedgerSigner({ DATA_DIR: place }, () => made);
    const session = simulated(6, signing);
    rotateLedgerKey({ DATA_DIR: place }, "2026-01-15T00:00:00.000Z");
    const [present, retired] = signing.keys();
    const old = openLedgerSigner({ DATA_DIR: place, LEDGER_KEYS_FILE: join(place, "stolen") });
    const { keys } = JSON.parse(readFileSync(join(place, "secrets", "ledger-keys"), "utf8"));
    writeFileSync(join(place, "stolen"), JSON.stringify({ schemaVersion: 1, keys: keys.slice(1) }));
    const faultOf = (by: LedgerSigner, signedAt: string) =>
      verifyLedger(exportLines(session.state.sessionId, session.records, by, signedAt), signing.keys()).fault?.code;
    expect([present?.retiredAt, retired?.retiredAt]).to.deep.equal([null, "2026-01-15T00:00:00.000Z"]);
    expect(faultOf(old, "2026-02-01T00:00:00.000Z")).to.equal("retired");
    expect(faultOf(old, "2026-01-14T00:00:00.000Z")).to.equal(undefined);
    expect(faultOf(signing, "2026-02-01T00:00:00.000Z")).to.equal(undefined);
  });

  it("fails verification when a key signed before it was made", () => {
    const place = mkdtempSync(join(folder, "early-"));
    const early = openLedgerSigner({ DATA_DIR: place }, () => made);
    const text = ledgerOf([opened()], early, "2026-01-20T00:00:00.000Z");
    const keys = (createdAt: string) => early.keys().map((key) => ({ ...key, createdAt }));
    expect(verifyLedger(text, keys("2026-01-20T00:01:00.000Z")).fault).to.deep.include({ line: 2, code: "early" });
    expect(verifyLedger(text, keys("2026-01-20T00:00:00.000Z")).fault).to.equal(null);
  });

  it("is never signed with a date before its key's", () => {
    const late = openLedgerSigner({ DATA_DIR: mkdtempSync(join(folder, "late-")) }, () => "2026-02-01T00:00:00.250Z");
    expect(headIn(ledgerOf([opened()], late)).checkpoint.at).to.equal("2026-02-01T00:00:00.250Z");
  });

  for (const [name, { code, told }] of Object.entries(forged))
    it(`fails verification when it is ${name}, signed by the service`, () => {
      expect(verifyLedger(ledgerOf(told, signer), signer.keys()).fault).to.deep.include({ code, index: told.length - 1 });
    });

  for (const [name, told] of Object.entries(honest))
    it(`is valid with ${name}`, () => {
      expect(verifyLedger(ledgerOf(told, signer), signer.keys()).fault).to.equal(null);
    });

  it("names what a second look found", () => {
    const unprovenOf = (name: string) => verifyLedger(ledgerOf(honest[name] ?? [], signer), signer.keys()).unproven;
    expect(unprovenOf("answers of both kinds")).to.deep.equal([{ index: 1, what: "second_look" }]);
  });

  /** The export of a session whose entries say something else, hashed and signed by the service itself. */
  const retold = (session: SimulatedSession, change: (entry: EvidenceEntry) => Partial<EvidenceEntry> | null): string => {
    const told: EvidenceEntry[] = [];
    for (const record of session.records) {
      if (!("entry" in record)) continue;
      const { previousHash, hash: _, ...entry } = record.entry;
      told.push(chained({ ...entry, ...change(record.entry) }, told.at(-1)?.hash ?? previousHash));
    }
    const records = told.map((entry) => ({ entry }));
    return exportLines(session.state.sessionId, records, signer, at);
  };
  const faultOf = (text: string) => verifyLedger(text, signer.keys()).fault?.code;

  it("fails verification when time runs backwards", () => {
    const late = retold(simulated(4), ({ index }) => (index === 1 ? { at: "2026-01-20T00:00:00.000Z" } : null));
    expect(faultOf(late)).to.equal("time");
  });

  it("fails verification when a grade does not follow from question and response", () => {
    const session = simulated(4);
    const first = session.records.flatMap((record) => ("entry" in record && record.entry.question ? record.entry : []))[0];
    expect(faultOf(retold(session, ({ index, correct }) => (index === first?.index ? { correct: !correct } : null)))).to.equal("grade");
    expect(
      faultOf(
        retold(session, ({ index, question }) => (index === first?.index && question ? { question: { ...question, right: [] } } : null)),
      ),
    ).to.equal("item");
  });

  it("fails verification when a decision contradicts the answers", () => {
    const decided = (decision: string, reason: string) => {
      for (let seed = 0; seed < 40; seed += 1) {
        const session = simulated(seed);
        const entry = session.records.find(
          (record) => "entry" in record && record.entry.decision === decision && record.entry.reason === reason,
        );
        if (entry && "entry" in entry) return { session, index: entry.entry.index };
      }
      throw new Error(`no ${decision} for ${reason}`);
    };
    const changed = (decision: string, reason: string, to: Partial<EvidenceEntry>) => {
      const { session, index } = decided(decision, reason);
      return faultOf(retold(session, (entry) => (entry.index === index ? to : null)));
    };
    expect(changed("reinforce", "wrong_answer", { decision: "advance", reason: "mastered" })).to.equal("decision");
    expect(changed("reinforce", "more_evidence", { reason: "wrong_answer" })).to.equal("decision");
    expect(changed("reinforce", "more_evidence", { reason: "other_kind" })).to.equal("decision");
    expect(changed("advance", "mastered", { reason: "left_for_later" })).to.equal("decision");
    expect(changed("complete", "nothing_left", { reason: "mastered" })).to.equal("decision");
  });

  it("names what it cannot recompute", () => {
    const { unproven, entries } = verifyLedger(exported(simulated(1)), signer.keys());
    const judged = entries.filter(({ gradedBy }) => gradedBy === "model").map(({ index }) => index);
    expect(judged.length).to.be.greaterThan(0);
    expect(unproven.filter(({ what }) => what === "model_judgement").map(({ index }) => index)).to.deep.equal(judged);
    const older = retold(simulated(1), ({ question }) => (question ? ({ question: undefined } as object) : null));
    expect(verifyLedger(older, signer.keys()))
      .to.deep.include({ fault: null })
      .and.to.have.property("unproven")
      .that.deep.includes({ index: 1, what: "question_missing" });
  });

  it("recognises an older export and another history by a known head", () => {
    const session = simulated(2);
    const [shorter, whole] = [session.records.slice(0, -4), session.records].map((records) =>
      exportLines(session.state.sessionId, records, signer, at),
    ) as [string, string];
    const stands = (text: string, head: string) => compareWithHead(verifyLedger(text, signer.keys()), headIn(head));
    expect(stands(shorter, whole)).to.equal("older");
    expect(stands(whole, shorter)).to.equal("newer");
    expect(stands(whole, whole)).to.equal("same");
    expect(stands(whole, exported(simulated(3)))).to.equal("other_session");
    const other = retold(session, ({ index }) => (index === 0 ? { at: "2025-12-31T00:00:00.000Z" } : null));
    expect(stands(other, shorter)).to.equal("forked");
  });

  it("takes no beginning of another history for an older export, where the whole newer one is at hand", () => {
    const session = simulated(2);
    const whole = exportLines(session.state.sessionId, session.records, signer, at);
    const begun = { ...session, records: session.records.slice(0, -4) };
    const other = retold(begun, ({ index }) => (index === 0 ? { at: "2025-12-31T00:00:00.000Z" } : null));
    expect(compareWithHead(verifyLedger(other, signer.keys()), headIn(whole))).to.equal("forked");
  });

  it("reveals nothing of a text without its salt", () => {
    expect(commitmentOf("salt-1", "my answer"))
      .to.match(/^[0-9a-f]{64}$/)
      .and.not.equal(commitmentOf("salt-2", "my answer"));
  });

  it("is verified from its file on the command line, which exits with 1 on a fault", () => {
    const text = exported(simulated(1));
    const file = join(folder, "export.ndjson");
    const keys = join(folder, "keys.json");
    writeFileSync(file, text);
    writeFileSync(keys, JSON.stringify({ schemaVersion: 1, keys: signer.keys() }));
    const run = (...words: string[]) => spawnSync(process.execPath, [cli, ...words], { encoding: "utf8" });
    const sound = run("verify", file, "--keys", keys);
    expect([sound.status, sound.stdout]).to.deep.equal([0, sound.stdout]);
    expect(sound.stdout).to.include("Valid: complete, unaltered, signed by known keys");
    const replay = run("replay", file).stdout;
    expect(replay).to.include("Phase: completed");
    const { objectives, path } = verifyLedger(text, signer.keys()).state;
    expect(objectives.length).to.equal(2);
    const [, mastery = "", steps = ""] = /\nMastery\n([\s\S]*)\nPath\n([\s\S]*)\nPhase:/.exec(replay) ?? [];
    expect(mastery.trimEnd().split("\n"), "each objective by its title").to.satisfy(
      (lines: string[]) => lines.every((line, index) => line.endsWith(`  ${objectives[index]?.title}`)) && lines.length === 2,
    );
    expect(
      steps
        .trimEnd()
        .split("\n")
        .map((line) => line.trim()),
    ).to.deep.equal(path.map(({ state, title }) => `${state.padEnd(8)}  ${title}`));
    for (const { title } of objectives) expect(replay, "where an answer moved it").to.match(new RegExp(`${title} 0\\.\\d+ → 0\\.\\d+`));
    const standings = objectives.map(({ objectiveId }) => masteryIn(verifyLedger(text).state, objectiveId).standing);
    expect(standings, "what the test is about").to.include("provisional");
    expect(
      mastery
        .trimEnd()
        .split("\n")
        .map((line) => line.trim().split(/ +/)[1]),
      "each standing by its name",
    ).to.deep.equal(standings.map((standing, index) => (standing === "none" ? objectives[index]?.title : standing)));
    const unchecked = run("verify", file);
    expect(unchecked.status).to.equal(3);
    expect(unchecked.stdout).to.include("Consistent, origin not checked").and.not.include("Valid");
    const newer = join(folder, "newer.ndjson");
    writeFileSync(newer, text);
    writeFileSync(file, exportLines(verifyLedger(text).sessionId ?? "", simulated(1).records.slice(0, -4), signer, at));
    const older = run("verify", file, "--keys", keys, "--head", newer);
    expect([older.status, older.stdout]).to.satisfy(([status, out]: [number, string]) => status === 4 && out.includes("OLDER"));
    writeFileSync(file, text.replace('"correct":true', '"correct":false'));
    const altered = run("verify", file, "--keys", keys);
    expect(altered.status).to.equal(1);
    expect(altered.stdout).to.match(/INVALID at line \d+, entry \d+ \(hash\)/);
    expect(run("verify").status).to.equal(2);
    expect(run("verify", join(folder, "nowhere")).status).to.equal(2);
  });
});
