import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { concurrentClaims, unauthorisedWorkers } from "./film-crash/boundary.ts";
import { disksFull } from "./film-crash/disks.ts";
import { workersKilled } from "./film-crash/kills.ts";
import { commandApiKilled, connectionCuts, silentConnection } from "./film-crash/network.ts";
import { type FilmCrashRun, startFilmCrashRun } from "./film-crash/run.ts";

/**
 * `npm run crash-test:films -- [--films 100] [--kills 20] [--rounds 5] [--seed N] [--only <what>,…] [--quick]`: films are made by real workers while these are
 * killed, the line between them and the program is cut, disks fill up and strangers knock (`film-crash/`). None is lost or made twice, and
 * nobody who watches sees one go back. `--quick` sets the program's clock forward instead of waiting for leases to run out.
 */
const { values } = parseArgs({
  options: {
    films: { type: "string", default: "100" },
    kills: { type: "string", default: "20" },
    rounds: { type: "string", default: "5" },
    seed: { type: "string", default: String(randomInt(2 ** 32)) },
    only: { type: "string" },
    quick: { type: "boolean", default: false },
  },
});
const [films, kills, rounds, seed] = [Number(values.films), Number(values.kills), Number(values.rounds), Number(values.seed)];
if (![films, kills, rounds, seed].every((number) => Number.isSafeInteger(number) && number >= 0)) {
  console.error("--films, --kills, --rounds and --seed take whole numbers.");
  process.exit(2);
}
console.log(`crash test of films: --films ${films} --kills ${kills} --rounds ${rounds} --seed ${seed}${values.quick ? " --quick" : ""}`);
const scenarios: Record<string, (stage: FilmCrashRun) => Promise<{ said: string; wrong: string[] }>> = {
  boundary: (stage) => unauthorisedWorkers(stage),
  races: (stage) => concurrentClaims(stage, { rounds, workers: 8 }),
  line: (stage) => connectionCuts(stage, { rounds }),
  dark: (stage) => silentConnection(stage),
  program: (stage) => commandApiKilled(stage),
  disks: (stage) => disksFull(stage),
  kills: (stage) => workersKilled(stage, { films, kills }),
};
const wanted = Object.entries(scenarios).filter(([name]) => values.only?.split(",").includes(name) ?? true);
const stage = await startFilmCrashRun({ seed, quick: values.quick });
for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void stage.close().finally(() => process.exit(1)));
let failed = 0;
try {
  for (const [, scenario] of wanted) {
    const began = Date.now();
    const { said, wrong } = await scenario(stage);
    console.log(`films: ${said}; ${wrong.length} wrong (${((Date.now() - began) / 1_000).toFixed(0)} s)`);
    for (const line of wrong.slice(0, 20)) console.error(`  ${line}`);
    if (wrong.length > 0) failed += 1;
  }
} finally {
  await stage.close();
}
console.log(`${wanted.length - failed} passed, ${failed} failed, 0 skipped`);
process.exit(failed > 0 ? 1 : 0);
