import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportLines } from "@colloquy/infra/ledger/export.ts";
import { openLedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import { verifyLedger } from "@colloquy/infra/ledger/verify.ts";
import { learnerKinds, seeded } from "./learners.ts";
import { fixedTest, type Measured, measure } from "./measure.ts";
import { type SimulatedSession, simulateSession } from "./simulate.ts";

/** `npm run eval:tutor`: simulated learners through the real deciders, and what it comes to. Exits with 1 when a bar is missed. */

const sessionsOfEach = 100;
const bars = { falseMastery: 0.02, missedMastery: 0.1 };

const folder = mkdtempSync(join(tmpdir(), "eval-tutor-"));
try {
  const signer = openLedgerSigner(folder);
  const random = seeded(20_261_121);
  const all = new Map<string, SimulatedSession[]>();
  for (const kind of learnerKinds)
    all.set(
      kind.name,
      Array.from({ length: sessionsOfEach }, (_, index) =>
        simulateSession(kind, { sessionId: `${kind.name.replaceAll(" ", "-")}-${index}`, objectives: 3, random, signer }),
      ),
    );
  const every = [...all.values()].flat();
  const row = (name: string, one: Measured): string =>
    [
      name.padEnd(16),
      String(one.sessions).padStart(8),
      String(one.deadlocks).padStart(9),
      percent(one.falseMastery).padStart(14),
      percent(one.falseOfDeclared).padStart(12),
      percent(one.missedMastery).padStart(15),
      percent(one.forgotten).padStart(9),
      one.items.toFixed(2).padStart(6),
      String(one.leaks).padStart(6),
      one.brier.toFixed(3).padStart(6),
    ].join(" ");
  process.stdout.write(
    `${"learner".padEnd(16)} sessions deadlocks false mastery of declared missed mastery forgotten  items  leaks  brier\n`,
  );
  for (const [name, sessions] of all) process.stdout.write(`${row(name, measure(sessions))}\n`);
  const whole = measure(every);
  process.stdout.write(`${row("all", whole)}\n`);

  const differing = every.filter(({ state, records }) => {
    const { fault, state: replayed } = verifyLedger(exportLines(state.sessionId, records, signer, "2026-01-02T00:00:00Z"), signer.keys());
    return fault !== null || JSON.stringify(replayed) !== JSON.stringify(state.ledger);
  });
  const fixed = fixedTest(0.25, 0.08);
  process.stdout.write(
    [
      "",
      `replay from the export differs from the session: ${differing.length} of ${every.length}`,
      `gained by saying "I know this": ${whole.gainedByClaims}`,
      `a fixed test of ${fixed.questions} questions: false ${percent(fixed.falseMastery)}, missed ${percent(fixed.missedMastery)}`,
      "",
    ].join("\n"),
  );
  const failed =
    whole.falseMastery > bars.falseMastery ||
    whole.missedMastery > bars.missedMastery ||
    whole.deadlocks + whole.leaks + whole.gainedByClaims + differing.length > 0 ||
    whole.items >= fixed.questions;
  process.exitCode = failed ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
