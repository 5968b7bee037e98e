import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { chaos } from "./chaos/chaos.ts";

/**
 * `npm run chaos -- [--learners 50] [--seconds-per-fault 6] [--only <part>,…] [--short] [--seed N] [--write]`: simulated learners drive real journeys over HTTP
 * while each part of a deployment is stopped, slowed, cut and restarted (`chaos/`). Ends with 1 when anything is lost, doubled or let in, when a
 * fault is not told in words or not met on purpose, when `/readyz` does not tell the truth, or when the program does not recover. `--short`: one fault of each part. `--write` writes `docs/reports/chaos.md`.
 */
const { values } = parseArgs({
  options: {
    learners: { type: "string", default: "50" },
    "seconds-per-fault": { type: "string", default: "6" },
    only: { type: "string" },
    seed: { type: "string", default: String(randomInt(2 ** 32)) },
    short: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});
const [learners, seconds, seed] = [values.learners, values["seconds-per-fault"], values.seed].map(Number) as [number, number, number];
if (!(learners >= 2) || !(seconds >= 1) || !Number.isSafeInteger(seed)) {
  console.error("--learners takes a number from 2, --seconds-per-fault one from 1, --seed a whole number.");
  process.exit(2);
}
console.log(
  `chaos: --learners ${learners} --seconds-per-fault ${seconds}${values.only ? ` --only "${values.only}"` : ""}${values.short ? " --short" : ""} --seed ${seed}`,
);
process.exit(
  (await chaos({ learners, seconds, seed, only: values.only?.split(",") ?? null, short: values.short, write: values.write })) ? 0 : 1,
);
