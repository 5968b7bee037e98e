import { fileURLToPath } from "node:url";
import { affectedTests, changedFiles, projectFiles, readerOf } from "./affected-tests.ts";
import { lastLineOutcome, mochaOutcome, wholeOutcome } from "./outcome.ts";
import type { Stage } from "./stages.ts";

/** A stage of `npm test -- --changed`, with the test files that it runs. */
export interface ChangedStage extends Stage {
  files: readonly string[];
}

const root = fileURLToPath(new URL("..", import.meta.url));
/** Changes that the import graph does not show the reach of. */
const reachesAll = /^(package(-lock)?\.json|tsconfig.*|\.mocharc\.json|web-test-runner\.config\.js|checks\/property-test-seed\.ts)$/;

type Kind = "element" | "journey" | "server";
const kindOf = (file: string): Kind =>
  file.endsWith(".browser.test.ts") ? "element" : file.endsWith(".journey.ts") ? "journey" : "server";
/** Files in one process: few, so that the nearest tests run first and a time limit loses little. */
const batchSizes: Record<Kind, number> = { server: 6, element: 4, journey: 1 };

/**
 * The stages for what differs from `base`: format and lint of the changed files, all types, the import rules, then the tests that the
 * change can reach, nearest first.
 * @returns also what the stages do not cover, a line each
 * @throws when git knows no `base`
 */
export function stagesForChanges(base: string): { stages: ChangedStage[]; notCovered: string[] } {
  const changed = changedFiles(root, base);
  if (changed.length === 0) return { stages: [], notCovered: [] };
  const files = projectFiles(root);
  const affected = affectedTests(changed, files, readerOf(root)).map(({ file }) => file);
  const present = changed.filter((file) => files.includes(file));
  // Journeys last: in the time that one takes, many other tests run.
  const batches = [
    ...batched(affected.filter((file) => kindOf(file) !== "journey")),
    ...batched(affected.filter((file) => kindOf(file) === "journey")),
  ];
  const all: readonly (ChangedStage | false)[] = [
    stage("typecheck", "types of servers, tests and interface", ["npm", "run", "--silent", "typecheck"]),
    present.length > 0 &&
      stage("lint", `formatting and linting of ${present.length} changed files`, [
        ...(["npx", "biome", "check", "--error-on-warnings", "--no-errors-on-unmatched", "--files-ignore-unknown=true"] as const),
        ...present,
      ]),
    affected.some((file) => kindOf(file) === "journey") && stage("build", "the interface builds", ["npm", "run", "--silent", "build"]),
    ...batches,
    stage("rooms", "which room imports which", ["npm", "run", "--silent", "rooms"]),
  ];
  const journeys = files.filter((file) => kindOf(file) === "journey" && !affected.includes(file)).length;
  const wide = changed.filter((file) => reachesAll.test(file));
  return {
    stages: all.filter((one) => one !== false),
    notCovered: [
      `${journeys} journeys: each starts the whole program, so that every change can reach them.`,
      "The crash tests, and tests that reach a changed file only through a name put together while they run.",
      ...(wide.length > 0 ? [`${wide.join(", ")} can affect every test.`] : []),
    ],
  };
}

const stage = (name: string, what: string, command: Stage["command"]): ChangedStage => ({
  name,
  what,
  command,
  read: wholeOutcome,
  jobs: 1,
  files: [],
});

/** Test files in batches of one kind, in the order of their first files. */
function batched(files: readonly string[]): ChangedStage[] {
  const batches: { kind: Kind; files: string[] }[] = [];
  for (const file of files) {
    const kind = kindOf(file);
    const open = batches.findLast((batch) => batch.kind === kind);
    if (open && open.files.length < batchSizes[kind]) open.files.push(file);
    else batches.push({ kind, files: [file] });
  }
  return batches.map(({ kind, files: of }, index) => ({
    name: `${kind} tests ${index + 1}`,
    what: of.join(", "),
    command:
      kind === "element"
        ? ["npx", "wtr", "--files", ...of]
        : ["npx", "mocha", ...(kind === "journey" ? ["--timeout", "300000"] : []), ...of],
    read: kind === "element" ? lastLineOutcome : mochaOutcome,
    jobs: 1,
    files: of,
  }));
}
