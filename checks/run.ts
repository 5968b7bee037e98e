import { availableParallelism } from "node:os";
import { stagesForChanges } from "./changed-stages.ts";
import { lastLineOutcome, mochaOutcome, type Reader, wholeOutcome } from "./outcome.ts";
import { runStages, type Stage, type StageResult } from "./stages.ts";

/**
 * `npm test`: every check and every test. Stages run side by side where the machine has room; the output of each is printed whole when
 * it ends. Failures are repeated at the very end, with the last line `N passed, N failed`.
 *
 * `npm test -- lint test:servers` runs only these stages. `npm test -- --changed` runs what the difference from `main` can affect, in less
 * than three minutes, and says what it leaves out; `--changed=<branch>` compares with another branch.
 */

const stage = (name: string, what: string, read: Reader, jobs = 1): Stage => ({
  name,
  what,
  command: ["npm", "run", "--silent", name],
  read,
  jobs,
});

/** Each stage is a script of package.json, so that it can be run alone under the same name; `jobs` is what its `--jobs` says there. */
const stages: Stage[] = [
  stage("build", "the interface builds", wholeOutcome),
  stage("lint", "formatting and linting", wholeOutcome),
  stage("rooms", "which room imports which", wholeOutcome),
  stage("docs:check", "docs/configuration.md says what the table of variables does", wholeOutcome),
  stage("typecheck", "types of servers, tests and interface", wholeOutcome),
  stage("test:servers", "tests of the servers", mochaOutcome, 2),
  stage("test:elements", "tests of the elements in Chromium", lastLineOutcome),
  stage("test:crash", "kills under load, on both databases", lastLineOutcome),
  stage("test:publication", "kills at every step of publication, and races", lastLineOutcome),
  stage("test:films", "films while workers die, lines are cut and disks are full", lastLineOutcome, 2),
  stage("test:journeys", "journeys through the whole program in Chromium", mochaOutcome, 2),
];
/** Tests wait more than they compute: one process more than there are processors. */
const room = Math.max(2, availableParallelism() + 1);
/** Time limit of `--changed`, in milliseconds: three minutes with what it takes to start and to end. */
const changedLimit = 165_000;
/** Characters of failures that are repeated at the end: a log is often cut to its end. */
const failuresLength = 9_000;

/** Lines in which a test says that it could not run here; they are repeated at the end. */
const notRun = new Set<string>();
function output(text: string): void {
  for (const line of text.split("\n")) if (/^\s*!!/.test(line)) notRun.add(line.trim());
}

function row({ stage: { name }, passed, failed, skipped, seconds }: StageResult): string {
  const counts = `${String(passed).padStart(5)} passed ${String(failed).padStart(3)} failed ${String(skipped).padStart(3)} skipped`;
  return `${failed > 0 ? "✖" : "✔"} ${name.padEnd(16)} ${counts} ${seconds.toFixed(1).padStart(7)} s`;
}

/** Every failure, as long as there is room; then the names alone. */
function allFailures(results: readonly StageResult[]): string {
  let length = 0;
  return results
    .flatMap(({ stage: { name }, failures }) => failures.map((failure) => `✖ ${name}: ${failure}`))
    .map((failure) => {
      const text = length + failure.length > failuresLength ? `${failure.slice(0, 200)}…` : failure;
      length += text.length;
      return text;
    })
    .join("\n\n");
}

function report(results: readonly StageResult[], leftOut: readonly string[] = []): void {
  const total = (count: (result: StageResult) => number): number => results.reduce((sum, result) => sum + count(result), 0);
  const failed = total((result) => result.failed);
  const skipped = total((result) => result.skipped);
  console.log(`\n${results.map(row).join("\n")}\n`);
  for (const line of notRun) console.log(`${line}\n`);
  if (leftOut.length > 0) console.log(`Left out (npm test runs it all):\n${leftOut.map((line) => `- ${line}`).join("\n")}\n`);
  if (failed > 0) console.log(`What failed:\n\n${allFailures(results)}\n`);
  if (skipped > 0) console.log(`${skipped} skipped`);
  console.log(`${total((result) => result.passed)} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}

async function runChanged(base: string): Promise<void> {
  const { stages: wanted, notCovered } = stagesForChanges(base);
  const interrupt = new AbortController();
  process.once("SIGINT", () => interrupt.abort());
  const signal = AbortSignal.any([AbortSignal.timeout(changedLimit), interrupt.signal]);
  const results = await runStages(wanted, { room, output, signal });
  const unfinished = wanted.filter((one) => !results.some((result) => result.stage === one));
  const late = unfinished.flatMap(({ name, files }) => (files.length > 0 ? files : [name]));
  const lines = late.length > 0 ? [`For lack of time: ${late.join(", ")}`] : [];
  if (wanted.length === 0) console.log(`Nothing differs from ${base}.`);
  report(results, [...lines, ...notCovered]);
}

async function runNamed(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !stages.some((one) => one.name === name));
  if (unknown.length > 0) {
    console.error(`There is no stage ${unknown.join(", ")}. Stages: ${stages.map(({ name }) => name).join(", ")}.`);
    process.exit(2);
  }
  report(
    await runStages(
      stages.filter(({ name }) => names.length === 0 || names.includes(name)),
      { room, output },
    ),
  );
}

const args = process.argv.slice(2);
const changed = /^--changed(?:=(.+))?$/.exec(args[0] ?? "");
if (changed) await runChanged(changed[1] ?? "main");
else await runNamed(args);
