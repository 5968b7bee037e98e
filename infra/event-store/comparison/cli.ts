import { parseArgs } from "node:util";
import { parseCall, runTool, UsageError } from "../../command-line.ts";
import type { Deviation } from "./compare.ts";
import { intendedDifferences } from "./intended.ts";
import { readRecording } from "./recording.ts";
import { runComparison } from "./run.ts";

const usage = `Usage: npm run eventstore:compare -- <recording> [--usual] [--url esdb://host:port?tls=false]

Plays recorded sequences of operations and compares what is answered with what EventStoreDB answered. Starts embedded event stores
of its own in strict mode. Ends with 1 when there are deviations.

  --usual        the embedded store's usual mode, with the differences that are intended there
  --url <url>    plays on this server, which should be empty
  --match <text> only sequences whose names contain this text
  --every <n>    only each n-th sequence
  --json         the deviations as JSON lines`;

const shown = { operations: 4, text: 400 } as const;

await runTool(usage, async (given) => {
  const { values, positionals } = parseCall(() =>
    parseArgs({
      args: given,
      allowPositionals: true,
      options: {
        usual: { type: "boolean", default: false },
        url: { type: "string" },
        match: { type: "string", default: "" },
        every: { type: "string", default: "1" },
        json: { type: "boolean", default: false },
        help: { type: "boolean", short: "h" },
      },
    }),
  );
  if (values.help) throw new UsageError("");
  const [file, ...rest] = positionals;
  const every = Number(values.every);
  if (file === undefined || rest.length > 0) throw new UsageError("Name one recording.");
  if (!Number.isSafeInteger(every) || every < 1) throw new UsageError("--every must be a whole number from 1 on.");
  const sequences = readRecording(file).filter(({ name }, index) => name.includes(values.match) && index % every === 0);
  const { deviations, intended, operations } = await runComparison(sequences, {
    mode: values.usual ? "usual" : "strict",
    ...(values.url !== undefined && { url: values.url }),
    onProgress: (played) => {
      if (played % 250 === 0) console.error(`${played} of ${sequences.length} sequences`);
    },
  });
  if (values.json) for (const deviation of deviations) console.log(JSON.stringify(deviation));
  else printClasses(deviations);
  for (const { name, reason } of intendedDifferences)
    if (intended[name]) console.log(`Intended, ${intended[name]} times: ${name}. ${reason}`);
  console.log(`${operations} operations compared`);
  console.log(`${sequences.length} sequences, ${deviations.length} deviations`);
  return deviations.length > 0 ? 1 : 0;
});

/** Each class with how often it was seen and its shortest sequence. */
function printClasses(deviations: readonly Deviation[]): void {
  const classes = [...Map.groupBy(deviations, (deviation) => deviation.class)].sort(([, a], [, b]) => b.length - a.length);
  const line = (value: unknown): string => String(JSON.stringify(value)).slice(0, shown.text);
  for (const [name, found] of classes) {
    const [shortest] = found.toSorted((a, b) => a.operations.length - b.operations.length);
    if (!shortest) continue;
    console.log(`\n## ${name}\n   ${found.length} times, as in ${shortest.sequence}`);
    for (const operation of shortest.operations.slice(-shown.operations)) console.log(`     ${line(operation)}`);
    console.log(`   recorded: ${line(shortest.recorded)}\n   answered: ${line(shortest.answered)}`);
  }
  if (classes.length > 0) console.log(`\n${classes.length} classes of deviation`);
}
