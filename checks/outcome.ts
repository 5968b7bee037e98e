import { stripVTControlCharacters } from "node:util";

/** What a stage of `npm test` came to, read from what it printed. */
export interface Outcome {
  passed: number;
  failed: number;
  skipped: number;
  /** What failed, each with its name and its message, for the end of the log. */
  failures: string[];
}

/** Reads one kind of runner's output. */
export type Reader = (output: string, code: number | null) => Outcome;

/** Lines of one failure that are said again; the whole stands in the stage's own output. */
const mostLines = 24;
/** Lines said again of a stage that failed without naming a test. */
const lastLines = 30;

/** Mocha's reporter `spec`. */
export const mochaOutcome: Reader = (output, code) => {
  const text = stripVTControlCharacters(output);
  const count = (word: string): number => Number(text.match(new RegExp(`^\\s+(\\d+) ${word}`, "m"))?.[1] ?? 0);
  const [, listed = ""] = text.split(/^ +\d+ failing$/m);
  const failures = listed.split(/^ {2}\d+\) /m).slice(1);
  return complete({ passed: count("passing"), failed: count("failing"), skipped: count("pending"), failures }, text, code);
};

/** Web Test Runner, and programs of ours that end with `N passed, N failed`. */
export const lastLineOutcome: Reader = (output, code) => {
  const text = stripVTControlCharacters(output);
  const count = (word: string): number => Number([...text.matchAll(new RegExp(`(\\d+) ${word}`, "g"))].at(-1)?.[1] ?? 0);
  return complete({ passed: count("passed"), failed: count("failed"), skipped: count("skipped"), failures: namedByWtr(text) }, text, code);
};

/** A check that passes or fails as a whole, and counts as one. */
export const wholeOutcome: Reader = (output, code) =>
  complete({ passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0, failures: [] }, stripVTControlCharacters(output), code);

/** Each failure stands below its file; one without a name of its own (a file that could not be loaded) is named by that file. */
function namedByWtr(text: string): string[] {
  const failures: string[] = [];
  let file = "";
  let open = false;
  for (const line of text.split("\n")) {
    const header = /^(\S+\.browser\.test\.ts):$/.exec(line.trim())?.[1];
    const name = /^ *❌ (.*)$/.exec(line)?.[1];
    if (header) [file, open] = [header, false];
    else if (name !== undefined) {
      failures.push(`${file}: ${name}`);
      open = true;
    } else if (/^Chrome: \||^Finished running|^Running \d+ test/.test(line)) open = false;
    else if (open) failures.push(`${failures.pop()}\n${line}`);
  }
  return failures;
}

/** A stage that failed in silence, or ran nothing, has failed all the same; its last words must do. */
function complete(outcome: Outcome, text: string, code: number | null): Outcome {
  const silent = (code !== 0 && outcome.failed === 0) || outcome.passed + outcome.failed === 0;
  const failed = outcome.failed + (silent ? 1 : 0);
  const failures = outcome.failures.map(short);
  if (failed > 0 && failures.length === 0) failures.push(text.trimEnd().split("\n").slice(-lastLines).join("\n"));
  return { ...outcome, failed, failures };
}

/** Without where it went through Node and packages. */
function short(failure: string): string {
  const lines = failure
    .trimEnd()
    .split("\n")
    .filter((line) => line.trim() !== "" && !/^\s+at .*(?:node:|node_modules)/.test(line));
  return lines.length > mostLines ? [...lines.slice(0, mostLines), "      …"].join("\n") : lines.join("\n");
}
