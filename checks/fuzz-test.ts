import { randomInt } from "node:crypto";
import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { fuzz } from "./fuzz/fuzz.ts";

/**
 * `npm run fuzz -- --cases 20000 [--seed N] [--only "POST /api/ai"] [--write]`: sends every route of the running program requests made from its
 * schema: valid, nearly valid, huge, deep, slow, broken off. None may be answered by a 5xx, not at all, or by anything but a problem.
 * `--write` writes docs/reports/fuzz.md.
 */
const { values } = parseArgs({
  options: {
    cases: { type: "string", default: "20000" },
    seed: { type: "string", default: String(randomInt(2 ** 31)) },
    only: { type: "string", default: "" },
    write: { type: "boolean", default: false },
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
const seconds = Math.round((performance.now() - started) / 1_000);
console.log(
  `${sent} requests in ${seconds} s: ${Object.entries(answers)
    .map(([kind, count]) => `${kind} ${count}`)
    .join(", ")}`,
);
console.log(`slowest answer: ${slowest.ms} ms, ${slowest.route}`);
console.log(
  `MiB held by each process, garbage left out, at the beginning and after each tenth:\n${memory.map((at) => JSON.stringify(at)).join("\n")}`,
);
for (const failure of failures.slice(0, 40)) console.log(`\n✖ ${failure}`);
if (values.write) writeFileSync(new URL("../docs/reports/fuzz.md", import.meta.url), page());
console.log(`${sent - failures.length} passed, ${failures.length} failed`);
process.exit(failures.length > 0 ? 1 : 0);

/** docs/reports/fuzz.md. */
function page(): string {
  const rows = Object.entries(answers).map(([kind, count]) => `| ${kind} | ${count.toLocaleString("en")} |`);
  const processes = Object.keys(memory[0] ?? {});
  const held = memory.map((at, index) => `| ${index} | ${processes.map((name) => at[name] ?? "").join(" | ")} |`);
  return [
    "# Fuzz",
    "",
    `Written by \`npm run fuzz -- --cases ${cases} --seed ${seed} --write\` on ${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores shared with other work (load average ${loadavg()[1]?.toFixed(1)}). [Checks](../build/checks.md#fuzz) says what is sent and what counts as wrong.`,
    "",
    `${sent.toLocaleString("en")} requests in ${seconds} s, **${failures.length} wrong**. The slowest answer took ${slowest.ms} ms (\`${slowest.route}\`).`,
    "",
    "| answer | requests |",
    "|---|---|",
    ...rows,
    "",
    "*left*: the caller hung up first. A *5xx* that is not wrong is the 504 for a position that the read models have not reached.",
    "",
    "Heap of each process in MiB after garbage collection, at the beginning and after each tenth of the routes:",
    "",
    `| tenth | ${processes.join(" | ")} |`,
    `|---|${"---|".repeat(processes.length)}`,
    ...held,
    "",
  ].join("\n");
}
