import { readdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import type { Benchmark } from "./benchmark.ts";

/**
 * `npm run bench`: every benchmark of this folder, or those named (`npm run bench -- event-store`), each against its own
 * baseline in the same run. `--write` also puts the figures into docs/benchmarks.md.
 */
const folder = new URL(".", import.meta.url);
const notBenchmarks = new Set(["run.ts", "benchmark.ts"]);
const names = readdirSync(folder)
  .filter((file) => file.endsWith(".ts") && !notBenchmarks.has(file))
  .map((file) => file.slice(0, -3));
const asked = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const unknown = asked.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(", ")}. Benchmarks: ${names.join(", ")}.`);
  process.exit(2);
}

const sections: string[] = [];
for (const name of asked.length > 0 ? asked : names) {
  const { run } = (await import(new URL(`${name}.ts`, folder).href)) as { run: () => Promise<Benchmark> };
  const result = await run();
  const section = [
    `## ${result.title}`,
    "",
    `\`npm run bench -- ${name}\` · baseline: ${result.baseline}`,
    "",
    "| what | measured | baseline | ratio |",
    "|---|---|---|---|",
    ...result.rows.map((row) => `| ${row.what} | ${row.value} | ${row.baseline ?? ""} | ${row.ratio ?? ""} |`),
    "",
  ].join("\n");
  console.log(section);
  sections.push(section);
}

if (process.argv.includes("--write")) {
  if (asked.length > 0) console.error("--write wants the whole run: name no benchmark.");
  else
    writeFileSync(
      new URL("../docs/benchmarks.md", folder),
      [
        "# Benchmarks",
        "",
        `Written by \`npm run bench -- --write\` on ${new Date().toISOString().slice(0, 10)}: ${cpus().length} cores (${cpus()[0]?.model.trim() ?? "unknown"}), Node ${process.versions.node}. Each figure stands beside a baseline of the same run; compare ratios, the machine is a shared one.`,
        "",
        ...sections,
      ].join("\n"),
    );
}
process.exit(0);
