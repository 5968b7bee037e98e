import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { learnerKinds, seeded } from "@colloquy/command-api/tutor/evaluation/learners.ts";
import { simulateSession } from "@colloquy/command-api/tutor/evaluation/simulate.ts";
import { sha256 } from "@colloquy/infra/ledger/chain.ts";
import { exportLines } from "@colloquy/infra/ledger/export.ts";
import { openLedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import { verifyLedger } from "@colloquy/infra/ledger/verify.ts";
import { type Benchmark, times } from "./benchmark.ts";

const sessions = 60;
const rounds = 12;

/** Whole exports of simulated sessions verified: form, chain, hashes, mastery, tree and every signature. */
export async function run(): Promise<Benchmark> {
  const folder = mkdtempSync(join(tmpdir(), "colloquy-ledger-"));
  try {
    const signer = openLedgerSigner({ DATA_DIR: folder });
    const simulated = Array.from({ length: sessions }, (_, seed) => {
      const kind = learnerKinds[seed % learnerKinds.length] as (typeof learnerKinds)[number];
      const { records } = simulateSession(kind, { sessionId: `session-${seed}`, objectives: 4, random: seeded(seed), signer });
      return { sessionId: `session-${seed}`, records };
    });
    const at = new Date().toISOString();
    const signed = simulated.map(({ sessionId, records }) => exportLines(sessionId, records, signer, at));
    const once = simulated.map(({ sessionId, records }) =>
      exportLines(
        sessionId,
        records.filter((record) => "entry" in record),
        signer,
        at,
      ),
    );
    const entries = simulated.reduce((sum, { records }) => sum + records.filter((record) => "entry" in record).length, 0);
    const row = (what: string, texts: readonly string[]) => {
      const verify = () => {
        for (const text of texts) if (verifyLedger(text, signer.keys()).fault) throw new Error("a sound ledger was refused");
      };
      const value = rateOf(entries, verify);
      const baseline = rateOf(entries, () => {
        for (const text of texts) for (const line of text.split("\n")) sha256(line);
      });
      return { what, value: eachSecond(value), baseline: eachSecond(baseline), ratio: times(value / baseline) };
    };
    return {
      title: `Ledger: verifying ${entries} entries of ${sessions} sessions`,
      baseline: "SHA-256 over the same lines and nothing else",
      rows: [row("verified, a signature for each turn", signed), row("verified, one signature for each session", once)],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const eachSecond = (value: number): string => `${Math.round(value).toLocaleString("en")} entries/s`;

/** The best of some rounds, after one to warm up. */
function rateOf(entries: number, work: () => void): number {
  work();
  const taken = Array.from({ length: rounds }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  });
  return (entries * 1_000) / Math.min(...taken);
}
