import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { fuzz } from "./fuzz/fuzz.ts";

/**
 * `npm run fuzz -- --cases 20000 [--seed N] [--only "POST /api/ai"]`: sends every route of the running program requests made from its
 * schema: valid, nearly valid, huge, deep, slow, broken off. None may be answered by a 5xx, not at all, or by anything but a problem.
 */
const { values } = parseArgs({
  options: {
    cases: { type: "string", default: "20000" },
    seed: { type: "string", default: String(randomInt(2 ** 31)) },
    only: { type: "string", default: "" },
  },
});
const [cases, seed] = [Number(values.cases), Number(values.seed)];
if (!Number.isSafeInteger(cases) || cases < 1 || !Number.isSafeInteger(seed)) {
  console.error("--cases takes a whole number, and so does --seed.");
  process.exit(2);
}
console.log(`fuzz: --cases ${cases} --seed ${seed}`);
const started = performance.now();
const report = await fuzz({ cases, seed, only: values.only, tell: console.log });
const { sent, answers, slowest, memory, failures } = report;
console.log(
  `${sent} requests in ${Math.round((performance.now() - started) / 1_000)} s: ${Object.entries(answers)
    .map(([kind, count]) => `${kind} ${count}`)
    .join(", ")}`,
);
console.log(`slowest answer: ${slowest.ms} ms, ${slowest.route}`);
console.log(
  `MiB held by each process, garbage left out, at the beginning and after each tenth:\n${memory.map((at) => JSON.stringify(at)).join("\n")}`,
);
for (const failure of failures.slice(0, 40)) console.log(`\n✖ ${failure}`);
console.log(`${sent - failures.length} passed, ${failures.length} failed`);
process.exit(failures.length > 0 ? 1 : 0);
