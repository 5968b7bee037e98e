import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { enginesToTest } from "@colloquy/infra/database/temporary.fixture.ts";
import { crashTest } from "./crash/crash.ts";

/**
 * `npm run crash-test -- --rounds 100 [--postgres | --both] [--seed N]`: kills parts of the program under load (`crash/crash.ts`).
 * In the end nothing that was acknowledged is lost, nothing is there twice, and the read models are what a fresh rebuild makes.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "100" },
    seed: { type: "string", default: String(randomInt(2 ** 32)) },
    postgres: { type: "boolean", default: false },
    both: { type: "boolean", default: false },
  },
});
const [rounds, seed] = [Number(values.rounds), Number(values.seed)];
if (!Number.isSafeInteger(rounds) || rounds < 1 || !Number.isSafeInteger(seed)) {
  console.error("--rounds takes a whole number, and so does --seed.");
  process.exit(2);
}
const wanted = values.both ? ["SQLite", "PostgreSQL"] : [values.postgres ? "PostgreSQL" : "SQLite"];
const tally = { passed: 0, failed: 0, skipped: 0 };
console.log(`crash test: --rounds ${rounds} --seed ${seed}`);
for (const engine of await enginesToTest()) {
  if (!wanted.includes(engine.name)) continue;
  if (engine.absent) tally.skipped += 1;
  else if (await crashTest(engine, { rounds, seed })) tally.passed += 1;
  else tally.failed += 1;
}
console.log(`${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped`);
process.exit(tally.failed > 0 || (tally.skipped > 0 && !values.both) ? 1 : 0);
