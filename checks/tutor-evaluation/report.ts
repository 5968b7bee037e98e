import type { LedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import { alterationKinds, unnoticed } from "./alterations.ts";
import { learnerKinds } from "./learners.ts";
import { calibration, fixedTest, type Measured, measure } from "./measure.ts";
import type { ProgramOutcome } from "./population.ts";
import type { LearnersSession } from "./simulate.ts";

const bars = { falseMastery: 0.02, missedMastery: 0.1 };
/** Of the fixed test it is held against: choices' guess and the population's usual slip. */
const fixed = fixedTest(0.25, 0.08);
const alterations = 1_000;

/** Prints what sessions with the whole program come to, and whether every bar is met: also how many alterations of their exports go unnoticed. */
export function reportOfProgram(outcome: ProgramOutcome, { forger, random }: { forger: LedgerSigner; random(): number }): boolean {
  const { sessions, notBegun, keys, topics, seconds } = outcome;
  const good = printed(sessions, sessions.filter(({ replaysAlike }) => !replaysAlike).length);
  const texts = sessions.map(({ text }) => text);
  const missed = unnoticed(texts, { keys, forger, random, count: alterations });
  const turns = sessions.reduce((sum, { state }) => sum + Object.keys(state.requests).length, 0);
  const refused = sessions.flatMap(({ refusals }) => refusals);
  print([
    `alterations unnoticed, of ${alterations} each: ${alterationKinds.map((kind) => `${kind} ${missed[kind]}`).join(", ")}`,
    `goals from ${topics} topics; ${turns} turns in ${Math.round(seconds)} s; turns refused: ${counted(refused)}`,
    `missed because: ${counted(sessions.flatMap((session) => session.missed))}`,
    `not begun: ${counted(notBegun)}`,
  ]);
  return good && notBegun.length === 0 && Object.values(missed).every((count) => count === 0);
}

function printed(sessions: readonly LearnersSession[], differing: number): boolean {
  process.stdout.write(
    `${"learner".padEnd(16)} sessions deadlocks false mastery of declared missed mastery forgotten  items  leaks  brier\n`,
  );
  for (const { name } of learnerKinds) {
    const own = sessions.filter(({ learner }) => learner.kind.name === name);
    if (own.length > 0) process.stdout.write(row(name, measure(own)));
  }
  const whole = measure(sessions);
  process.stdout.write(row("all", whole));
  print([
    "",
    `replay from the export differs from the session: ${differing} of ${sessions.length}`,
    `gained by saying "I know this": ${whole.gainedByClaims}`,
    `a fixed test of ${fixed.questions} questions: false ${percent(fixed.falseMastery)}, missed ${percent(fixed.missedMastery)}`,
    `calibration, predicted and observed: ${calibration(sessions)
      .map(({ predicted, observed, answers }) => `${percent(predicted)} ${percent(observed)} (${answers})`)
      .join("; ")}`,
  ]);
  const none = whole.deadlocks + whole.leaks + whole.gainedByClaims + differing === 0;
  return none && whole.falseMastery <= bars.falseMastery && whole.missedMastery <= bars.missedMastery && whole.items < fixed.questions;
}

function counted(what: readonly string[]): string {
  const groups = Object.entries(Object.groupBy(what, (one) => one)).toSorted(([, a], [, b]) => (b?.length ?? 0) - (a?.length ?? 0));
  return groups.length === 0 ? "none" : groups.map(([name, own]) => `${name} ${own?.length ?? 0}`).join("; ");
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

const print = (lines: readonly string[]): boolean => process.stdout.write(`${lines.join("\n")}\n`);
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
