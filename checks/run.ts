import { spawn } from "node:child_process";

/**
 * `npm test`: every check and every test, one after the other, ending with the line `N passed, N failed, N skipped`.
 * A check counts as one; a runner counts what it ran. Name stages to run only those: `npm test -- lint test:servers`.
 */

interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

interface Stage {
  name: string;
  what: string;
  /** Reads the tally from a runner's output; absent for a check that passes or fails as a whole. */
  tally?: (output: string) => Tally;
}

/** Each stage is a script of package.json, so that it can be run alone under the same name. */
const stages: Stage[] = [
  { name: "lint", what: "formatting and linting" },
  { name: "typecheck", what: "types of servers, tests and interface" },
  { name: "rooms", what: "which room imports which" },
  { name: "docs:check", what: "docs/configuration.md matches the table" },
  { name: "test:servers", what: "tests of the servers", tally: mochaTally },
  { name: "test:elements", what: "tests of the elements in Chromium", tally: wtrTally },
  { name: "test:crash", what: "kills under load, on both databases", tally: wtrTally },
  { name: "test:journeys", what: "journeys through the whole program in Chromium", tally: mochaTally },
];

function mochaTally(output: string): Tally {
  const count = (word: string): number => Number(new RegExp(`^\\s+(\\d+) ${word}`, "m").exec(output)?.[1] ?? 0);
  return { passed: count("passing"), failed: count("failing"), skipped: count("pending") };
}

function wtrTally(output: string): Tally {
  const count = (word: string): number => Number([...output.matchAll(new RegExp(`(\\d+) ${word}`, "g"))].at(-1)?.[1] ?? 0);
  return { passed: count("passed"), failed: count("failed"), skipped: count("skipped") };
}

/** Lines in which a test says loudly what it could not try here; they are said again at the end, where they are read. */
const unheard = new Set<string>();
function hear(output: string): void {
  for (const line of output.split("\n")) if (/^\s*!!/.test(line)) unheard.add(line.trim());
}

/** Runs one stage with its output shown as it comes. */
function run(stage: Stage): Promise<Tally> {
  console.log(`\n━━ ${stage.name}: ${stage.what}`);
  return new Promise((resolve) => {
    const child = spawn("npm", ["run", "--silent", stage.name], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, NODE_ENV: "test", FORCE_COLOR: "0" },
    });
    let output = "";
    for (const [from, to] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ] as const)
      from.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        to.write(chunk);
      });
    child.once("error", (error) => {
      console.error(error.message);
      resolve({ passed: 0, failed: 1, skipped: 0 });
    });
    child.once("close", (code) => {
      hear(output);
      const tally = stage.tally?.(output) ?? { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
      const silentFailure = (code !== 0 && tally.failed === 0) || (stage.tally && tally.passed + tally.failed === 0);
      resolve(silentFailure ? { ...tally, failed: tally.failed + 1 } : tally);
    });
  });
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !stages.some((stage) => stage.name === name));
if (unknown.length > 0) {
  console.error(`There is no stage ${unknown.join(", ")}. Stages: ${stages.map((stage) => stage.name).join(", ")}.`);
  process.exit(2);
}
const total: Tally = { passed: 0, failed: 0, skipped: 0 };
const rows: string[] = [];
for (const stage of stages.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const started = performance.now();
  const tally = await run(stage);
  total.passed += tally.passed;
  total.failed += tally.failed;
  total.skipped += tally.skipped;
  rows.push(
    `${tally.failed > 0 ? "✖" : "✔"} ${stage.name.padEnd(14)} ${String(tally.passed).padStart(5)} passed ${String(tally.failed).padStart(3)} failed ${String(tally.skipped).padStart(3)} skipped ${((performance.now() - started) / 1000).toFixed(1).padStart(7)} s`,
  );
}
console.log(`\n${rows.join("\n")}\n`);
for (const line of unheard) console.log(`${line}\n`);
if (total.skipped > 0) console.log(`${total.skipped} skipped`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;
