import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openLedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import { type BankOutcome, bankLearners, bankReport, bankSizes } from "./bank-report.ts";
import { learnsForDays } from "./days.ts";
import { daysReport, type StrategyOutcome } from "./days-report.ts";
import { seeded } from "./learners.ts";
import { through } from "./population.ts";
import { reportOfProgram } from "./report.ts";
import { heldOut, type Strategy, tunedWith } from "./strategies.ts";

/**
 * `npm run eval:tutor [-- learners|bank|program]
 *   [--sessions <of each kind>] [--days <n>] [--course <id>=<folder>]… [--seed <n>] [--at-once <n>]`:
 * simulated learners and what it comes to. `learners` runs the tutor's own handlers, deciders and question flow over several days, with a
 * made-up course and a made-up model; `bank` is the part of it in which only questions of the course's own count. `program` starts the
 * whole program and runs sessions over HTTP, with the demonstration model, on the demonstration courses and those named. Exits with 1
 * when a goal is missed.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sessions: { type: "string", default: "100" },
    days: { type: "string", default: "2" },
    course: { type: "string", multiple: true, default: [] },
    seed: { type: "string", default: "20261121" },
    "at-once": { type: "string", default: "8" },
  },
});
const [how = "learners"] = positionals;
const [count, seed, days] = [Number(values.sessions), Number(values.seed), Number(values.days)];
if (!["learners", "bank", "program"].includes(how) || !(count > 0) || !(days > 0) || Number.isNaN(seed)) {
  process.stderr.write(
    "npm run eval:tutor -- learners|bank|program [--sessions 100] [--days 2] [--course <id>=<folder>] [--seed 20261121]\n",
  );
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), "eval-tutor-"));
const signer = openLedgerSigner({ DATA_DIR: folder });
try {
  if (how === "program") {
    const folders = Object.fromEntries(values.course.map((one) => one.split("=") as [string, string]));
    const outcome = await through(folders, { count, seed, atOnce: Number(values["at-once"]) });
    process.exitCode = reportOfProgram(outcome, { forger: signer, random: seeded(seed) }) ? 0 : 1;
  } else {
    const list = [...tunedWith, ...heldOut];
    const outcomesOf = async (strategy: Strategy, bank: number): Promise<StrategyOutcome> => {
      const outcomes = [];
      for (let index = 0; index < count; index += 1) {
        const random = seeded(seed + index * list.length + list.indexOf(strategy));
        outcomes.push(...(await learnsForDays(strategy, { days, random, signer, bank })));
      }
      process.stderr.write(`${strategy.name}\n`);
      return { strategy, outcomes };
    };
    if (how === "learners") {
      const all: StrategyOutcome[] = [];
      for (const strategy of list) all.push(await outcomesOf(strategy, 0));
      const { text, met } = daysReport(all, { seed, count, days });
      process.stdout.write(`${text}\n`);
      process.exitCode = met ? 0 : 1;
    }
    const banks: BankOutcome[] = [];
    for (const perObjective of bankSizes)
      for (const strategy of list.filter(({ name }) => bankLearners.includes(name)))
        banks.push({ perObjective, ...(await outcomesOf(strategy, perObjective)) });
    process.stdout.write(bankReport(banks, { seed, count, days }));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
