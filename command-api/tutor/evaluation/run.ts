import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportLines } from "@colloquy/infra/ledger/export.ts";
import { type LedgerSigner, openLedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import { verifyLedger } from "@colloquy/infra/ledger/verify.ts";
import { serveTutor } from "../tutor-fixture.ts";
import { type LearnerKind, learnerKinds, seeded } from "./learners.ts";
import { fixedTest, type Measured, measure } from "./measure.ts";
import { serveSession } from "./served.ts";
import { type LearnersSession, simulateSession } from "./simulate.ts";

/**
 * `npm run eval:tutor [-- rules|served [<sessions of each kind>]]`: simulated learners and what it comes to. `rules` runs the real
 * deciders with made-up questions, `served` the real handlers with event store and demonstration model. Exits with 1 when a bar is missed.
 */

const bars = { falseMastery: 0.02, missedMastery: 0.1 };
const goals = [
  "Understand eigenvectors",
  "How determinants measure area",
  "Kernel and image",
  "Change of basis",
  "Vectors and what they are",
];

const [how = "rules", count = how === "served" ? "10" : "100"] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "eval-tutor-"));
const tutor = how === "served" ? await serveTutor() : null;
try {
  const signer = tutor?.signer ?? openLedgerSigner({ DATA_DIR: folder });
  const random = seeded(20_261_121);
  const one = (kind: LearnerKind, index: number): LearnersSession | Promise<LearnersSession> =>
    tutor
      ? serveSession(tutor, kind, goals[index % goals.length] ?? "", random)
      : simulateSession(kind, { sessionId: `${kind.name.replaceAll(" ", "-")}-${index}`, objectives: 3, random, signer });
  const all = new Map<string, LearnersSession[]>();
  for (const kind of learnerKinds) {
    const sessions: LearnersSession[] = [];
    for (let index = 0; index < Number(count); index += 1) sessions.push(await one(kind, index));
    all.set(kind.name, sessions);
  }
  process.exitCode = report(all, signer) ? 0 : 1;
} finally {
  await tutor?.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Prints the table; whether every bar is met. */
function report(all: ReadonlyMap<string, readonly LearnersSession[]>, signer: LedgerSigner): boolean {
  const every = [...all.values()].flat();
  process.stdout.write(
    `${"learner".padEnd(16)} sessions deadlocks false mastery of declared missed mastery forgotten  items  leaks  brier\n`,
  );
  for (const [name, sessions] of all) process.stdout.write(row(name, measure(sessions)));
  const whole = measure(every);
  process.stdout.write(row("all", whole));
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
  const none = whole.deadlocks + whole.leaks + whole.gainedByClaims + differing.length === 0;
  return none && whole.falseMastery <= bars.falseMastery && whole.missedMastery <= bars.missedMastery && whole.items < fixed.questions;
}

function row(name: string, one: Measured): string {
  const cells = [
    name.padEnd(16),
    String(one.sessions).padStart(8),
    String(one.deadlocks).padStart(9),
    percent(one.falseMastery).padStart(13),
    percent(one.falseOfDeclared).padStart(11),
    percent(one.missedMastery).padStart(14),
    percent(one.forgotten).padStart(9),
    one.items.toFixed(2).padStart(6),
    String(one.leaks).padStart(6),
    one.brier.toFixed(3).padStart(6),
  ];
  return `${cells.join(" ")}\n`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
