import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { lastLineOutcome, mochaOutcome, type Outcome, type Reader, wholeOutcome } from "./outcome.ts";

/**
 * `npm test`: every check and every test. Stages run side by side where the machine has room; each one's output is printed whole when it
 * ends. What failed is said again at the very end, with the last line `N passed, N failed`. Name stages to run only those:
 * `npm test -- lint test:servers`.
 */

interface Stage {
  name: string;
  what: string;
  read: Reader;
  /** Processes that are busy at once; what `--jobs` says in package.json. */
  jobs: number;
}

/** Each stage is a script of package.json, so that it can be run alone under the same name. They begin in this order. */
const stages: Stage[] = [
  { name: "build", what: "the interface builds", read: wholeOutcome, jobs: 1 },
  { name: "lint", what: "formatting and linting", read: wholeOutcome, jobs: 1 },
  { name: "rooms", what: "which room imports which", read: wholeOutcome, jobs: 1 },
  { name: "docs:check", what: "docs/reports/configuration.md says what the table of variables does", read: wholeOutcome, jobs: 1 },
  { name: "typecheck", what: "types of servers, tests and interface", read: wholeOutcome, jobs: 1 },
  { name: "test:servers", what: "tests of the servers", read: mochaOutcome, jobs: 2 },
  { name: "test:elements", what: "tests of the elements in Chromium", read: lastLineOutcome, jobs: 1 },
  { name: "test:crash", what: "kills under load, on both databases", read: lastLineOutcome, jobs: 1 },
  { name: "test:publication", what: "kills at every step of publication, and races", read: lastLineOutcome, jobs: 1 },
  { name: "test:films", what: "films while workers die, lines are cut and disks are full", read: lastLineOutcome, jobs: 2 },
  { name: "test:journeys", what: "journeys through the whole program in Chromium", read: mochaOutcome, jobs: 2 },
];
/** Tests wait more than they reckon: one process more than there are processors. */
const room = Math.max(2, availableParallelism() + 1);
/** The tests start hundreds of processes of the same modules; Node keeps what it made of each. */
const compiled = fileURLToPath(new URL("../node_modules/.cache/colloquy/compiled", import.meta.url));
/** What is said of the failures at the end; whoever keeps only the end of a log must still find their names. */
const mostSaid = 9_000;

interface Ended extends Outcome {
  stage: Stage;
  seconds: number;
}

/** Lines in which a test says loudly what it could not try here; they are said again at the end, where they are read. */
const unheard = new Set<string>();
function hear(output: string): void {
  for (const line of output.split("\n")) if (/^\s*!!/.test(line)) unheard.add(line.trim());
}

const heading = ({ name, what }: Stage): string => `\n━━ ${name}: ${what}\n`;

/** Runs one stage. Its output is shown as it comes where no other runs beside it; else when it has ended. */
function run(stage: Stage, alone: boolean): Promise<Ended> {
  const started = performance.now();
  process.stdout.write(alone ? heading(stage) : `… ${stage.name} begins\n`);
  return new Promise((resolve) => {
    const child = spawn("npm", ["run", "--silent", stage.name], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, NODE_ENV: "test", FORCE_COLOR: "0", NODE_COMPILE_CACHE: compiled },
    });
    let output = "";
    const take = (text: string): void => {
      output += text;
      if (alone) process.stdout.write(text);
    };
    child.stdout.setEncoding("utf8").on("data", take);
    child.stderr.setEncoding("utf8").on("data", take);
    const end = (code: number | null): void => {
      hear(output);
      if (!alone) process.stdout.write(`${heading(stage)}${output}`);
      resolve({ stage, ...stage.read(output, code), seconds: (performance.now() - started) / 1000 });
    };
    child.once("error", (error) => {
      take(error.message);
      end(null);
    });
    child.once("close", end);
  });
}

/** Runs them in their order, as many at once as there is room for. */
async function runAll(wanted: readonly Stage[]): Promise<Ended[]> {
  const ended: Ended[] = [];
  const running = new Map<Stage, Promise<void>>();
  const busy = (): number => [...running.keys()].reduce((sum, { jobs }) => sum + jobs, 0);
  for (const stage of wanted) {
    while (running.size > 0 && busy() + stage.jobs > room) await Promise.race(running.values());
    running.set(
      stage,
      run(stage, running.size === 0 && stage === wanted.at(-1)).then((outcome) => {
        ended.push(outcome);
        running.delete(stage);
      }),
    );
  }
  await Promise.all(running.values());
  return wanted.flatMap((stage) => ended.filter((one) => one.stage === stage));
}

function row({ stage, passed, failed, skipped, seconds }: Ended): string {
  const counts = `${String(passed).padStart(5)} passed ${String(failed).padStart(3)} failed ${String(skipped).padStart(3)} skipped`;
  return `${failed > 0 ? "✖" : "✔"} ${stage.name.padEnd(16)} ${counts} ${seconds.toFixed(1).padStart(7)} s`;
}

/** Every failure, as far as there is room; then the names alone. */
function sayFailures(all: readonly Ended[]): string {
  const failures = all.flatMap(({ stage, failures: of }) => of.map((failure) => `✖ ${stage.name}: ${failure}`));
  let said = 0;
  return failures
    .map((failure) => {
      const words = said + failure.length > mostSaid ? `${failure.slice(0, 200)}…` : failure;
      said += words.length;
      return words;
    })
    .join("\n\n");
}

const names = process.argv.slice(2);
const unknown = names.filter((name) => !stages.some((stage) => stage.name === name));
if (unknown.length > 0) {
  console.error(`There is no stage ${unknown.join(", ")}. Stages: ${stages.map((stage) => stage.name).join(", ")}.`);
  process.exit(2);
}
const all = await runAll(stages.filter(({ name }) => names.length === 0 || names.includes(name)));
const total = (count: (of: Ended) => number): number => all.reduce((sum, of) => sum + count(of), 0);
const failed = total((of) => of.failed);
console.log(`\n${all.map(row).join("\n")}\n`);
for (const line of unheard) console.log(`${line}\n`);
if (failed > 0) console.log(`What failed:\n\n${sayFailures(all)}\n`);
if (total((of) => of.skipped) > 0) console.log(`${total((of) => of.skipped)} skipped`);
console.log(`${total((of) => of.passed)} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
