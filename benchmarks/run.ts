import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { type Benchmark, isShort } from "./benchmark.ts";
import { benchmarksPage, withSections } from "./page.ts";

/**
 * `npm run bench`: every benchmark of this folder, or those named (`npm run bench -- event-store`), each against its own
 * baseline in the same run. `--short` runs them in little time, without meaning. `--write` also puts their figures into docs/reports/benchmarks.md, and leaves the others' there alone.
 */
const folder = new URL(".", import.meta.url);
const notBenchmarks = new Set(["run.ts", "benchmark.ts", "page.ts"]);
const names = readdirSync(folder)
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !notBenchmarks.has(file))
  .map((file) => file.slice(0, -3));
const asked = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const unknown = asked.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(", ")}. Benchmarks: ${names.join(", ")}.`);
  process.exit(2);
}

const sections = new Map<string, string>();
const today = new Date().toISOString().slice(0, 10);
for (const name of asked.length > 0 ? asked : names) {
  const { run } = (await import(new URL(`${name}.ts`, folder).href)) as { run: () => Promise<Benchmark> };
  const result = await run();
  const section = [
    `## ${result.title}`,
    "",
    `\`npm run bench -- ${name}\` · ${today} · baseline: ${result.baseline}`,
    "",
    "| what | measured | baseline | ratio |",
    "|---|---|---|---|",
    ...result.rows.map((row) => `| ${row.what} | ${row.value} | ${row.baseline ?? ""} | ${row.ratio ?? ""} |`),
    ...(result.note ? ["", result.note] : []),
    "",
  ].join("\n");
  console.log(section);
  sections.set(name, section);
}

if (process.argv.includes("--write") && !isShort) {
  const page = new URL("../docs/reports/benchmarks.md", folder);
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim() ?? "unknown"}), Node ${process.versions.node}`;
  writeFileSync(page, withSections(readFileSync(page, "utf8"), sections, benchmarksPage(machine)));
}
process.exit(0);
