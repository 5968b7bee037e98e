import { parseArgs } from "node:util";
import { type Failure, failureOf, parseCall, runTool, UsageError } from "@colloquy/infra/command-line.ts";
import { readConfig } from "@colloquy/infra/config.ts";
import { damagedFileAdvice } from "@colloquy/infra/database/damage.ts";
import { openDatabase, queryTimeoutMs } from "@colloquy/infra/database/open.ts";
import type { EventStore } from "@colloquy/infra/event-store/client.ts";
import { reachEventStore } from "@colloquy/infra/event-store/reach.ts";
import { recordOperatorCommand } from "@colloquy/infra/operator-record.ts";
import type { Kysely } from "kysely";
import { ApplyEventError } from "./apply-batch.ts";
import { projectionProgress, rebuildsUnderWay } from "./checkpoints/queries.ts";
import { areCheckpointTablesReady, type CheckpointTables } from "./checkpoints/tables.ts";
import { progressLine, statusText, verdictSummary, verdictsText } from "./cli-output.ts";
import { countLiveRunners, recordOperation } from "./heartbeat.ts";
import { migrate } from "./migrate.ts";
import type { Projection } from "./projection.ts";
import { projections } from "./projections.ts";
import { LeaseLost, RebuildRunning } from "./rebuild/lease.ts";
import { rebuild, verify } from "./rebuild/rebuild.ts";

const usage = `Usage: npm run projections -- status [--json]
       npm run projections -- rebuild <name|all> [--json]
       npm run projections -- verify [name…] [--json]

status   shows the progress and failure of each read model
rebuild  rebuilds read models from the first event in shadow tables, then swaps them with the live ones
verify   rebuilds them in shadow tables and reports every row that differs; exits with 1 if one does

All work whether the program runs or not. Ctrl-C cancels a rebuild; nothing is changed then.
Read models: ${projections.map(({ name }) => name).join(", ")}`;

/** Other processes may lock a SQLite file for long, and no user waits for this tool. Less than a rebuild's lease. */
const databaseWaitMs = 20_000;
/** How often progress is written, in milliseconds. */
const progressMs = 500;

interface Tools {
  database: Kysely<CheckpointTables>;
  store: EventStore;
  signal: AbortSignal;
  json: boolean;
}

const readArguments = (given: string[]): { command: string; names: string[]; json: boolean } =>
  parseCall(() => {
    const { values, positionals } = parseArgs({
      args: given,
      allowPositionals: true,
      options: { json: { type: "boolean", default: false }, help: { type: "boolean", short: "h" } },
    });
    const [command = "", ...names] = positionals;
    if (values.help || command === "") throw new UsageError("");
    return { command, names, json: values.json };
  });

function selectProjections(names: readonly string[]): Projection[] {
  const unknown = names.filter((name) => name !== "all" && !projections.some((one) => one.name === name));
  if (unknown.length > 0) throw new UsageError(`There is no read model ${unknown.join(", ")}.`);
  return projections.filter(({ name }) => names.includes("all") || names.includes(name));
}

/** Prints progress to standard error; on a terminal it overwrites one line. */
function progressPrinter(store: EventStore) {
  let printedAt = Number.NEGATIVE_INFINITY;
  const began = performance.now();
  let last: string | null = null;
  store.head().then(
    (position) => (last = position),
    () => null,
  );
  return (parts: { name: string; events: number; position: string | null }[]): void => {
    if (performance.now() - printedAt < progressMs) return;
    printedAt = performance.now();
    const line = progressLine(parts, last, (performance.now() - began) / 1_000);
    process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${line}` : `${line}\n`);
  };
}

async function run({ command, names, json }: ReturnType<typeof readArguments>): Promise<number> {
  const config = readConfig();
  const leaving = new AbortController();
  process.once("SIGINT", () => leaving.abort(new Cancelled()));
  process.once("SIGTERM", () => leaving.abort(new Cancelled()));
  const { store, close } = await reachEventStore(config);
  const database = openDatabase<CheckpointTables>(config, { waitMs: databaseWaitMs, queryWithinMs: queryTimeoutMs.rebuilding });
  const reader = openDatabase<CheckpointTables>(config, { readOnly: true, queryWithinMs: queryTimeoutMs.rebuilding });
  try {
    await ensureTables(database);
    const tools: Tools = { database, store, signal: leaving.signal, json };
    if (command === "status") return await printStatus(tools);
    if (command === "rebuild") {
      recordOperatorCommand(config, "projections rebuild", { names: names.join(" ") });
      return await runRebuild(tools, names);
    }
    if (command === "verify") return await runVerify(tools, reader, names);
    throw new UsageError(`There is no command ${command}.`);
  } finally {
    await Promise.all([database.destroy(), reader.destroy()]);
    await close();
  }
}

/** Creates the tables if a first start has not; existing tables are migrated by the running program only. */
async function ensureTables(database: Kysely<CheckpointTables>): Promise<void> {
  const ready = await areCheckpointTablesReady(database);
  const rows = ready ? await database.selectFrom("checkpoints").select("name").execute() : [];
  if (!ready || !projections.every(({ name }) => rows.some((row) => row.name === name))) await migrate(database, projections);
}

async function printStatus({ database, store, signal, json }: Tools): Promise<number> {
  const [rows, rebuilds, runners] = await Promise.all([
    projectionProgress(database, store, signal),
    rebuildsUnderWay(database),
    countLiveRunners(database),
  ]);
  console.log(json ? JSON.stringify({ schemaVersion: 1, projections: rows, rebuilds, runners }) : statusText(rows, rebuilds, runners));
  return 0;
}

async function runRebuild({ database, store, signal, json }: Tools, names: string[]): Promise<number> {
  if (names.length === 0) throw new UsageError("Name the read model to rebuild, or all.");
  const began = performance.now();
  const selected = selectProjections(names);
  const done = await withRecord(database, "rebuild", selected, async () => {
    const rebuilt = await rebuild({ projections: selected, database, store, signal, onProgress: progressPrinter(store) });
    return { result: rebuilt, outcome: rebuilt.map(({ name, events }) => `${name} from ${events} events`).join(", ") };
  });
  if (process.stderr.isTTY) process.stderr.write("\n");
  const seconds = (performance.now() - began) / 1_000;
  if (json) console.log(JSON.stringify({ schemaVersion: 1, seconds, rebuilt: done }));
  else
    for (const { name, events } of done)
      console.log(`${name}: rebuilt from ${events.toLocaleString("en")} events (${seconds.toFixed(1)} s)`);
  return 0;
}

async function runVerify({ database, store, signal, json }: Tools, reader: Kysely<CheckpointTables>, names: string[]): Promise<number> {
  const selected = selectProjections(names.length === 0 ? ["all"] : names);
  const verdicts = await withRecord(database, "verify", selected, async () => {
    const found = await verify({ projections: selected, database, reader, store, signal, onProgress: progressPrinter(store) });
    return { result: found, outcome: verdictSummary(found) };
  });
  if (process.stderr.isTTY) process.stderr.write("\n");
  console.log(json ? JSON.stringify({ schemaVersion: 1, verdicts }) : verdictsText(verdicts));
  return verdicts.some(({ differences }) => differences.length > 0) ? 1 : 0;
}

/** Does the work, and records its start and its end for the log of the projections process. */
async function withRecord<Result>(
  database: Kysely<CheckpointTables>,
  command: string,
  selected: readonly Projection[],
  work: () => Promise<{ result: Result; outcome: string }>,
): Promise<Result> {
  const operation = `an operator's ${command} of ${selected.map(({ name }) => name).join(", ")}`;
  const note = (message: string) => recordOperation(database, message).catch(() => undefined);
  await note(`${operation} started`);
  try {
    const { result, outcome } = await work();
    await note(`${operation} finished: ${outcome}`);
    return result;
  } catch (error) {
    await note(`${operation} failed: ${failureOf(error, usage, knownFailure).message.split("\n")[0]}`);
    throw error;
  }
}

class Cancelled extends Error {}

/** The message and exit code of an expected error; null for any other. */
function knownFailure(error: unknown): Failure | null {
  if (error instanceof Cancelled) return { message: "Cancelled. The live rows are unchanged.", code: 130 };
  if (error instanceof RebuildRunning || error instanceof LeaseLost) return { message: error.message, code: 1 };
  const damage = damagedFileAdvice(error);
  if (damage) return { message: damage, code: 1 };
  if (!(error instanceof ApplyEventError)) return null;
  const { id, type, stream, position } = error.event;
  const why = error.cause instanceof Error ? error.cause.message : String(error.cause);
  return { message: `${type} ${id} (${stream}, position ${position}) cannot be applied: ${why}\nThe live rows are unchanged.`, code: 1 };
}

await runTool(usage, (given) => run(readArguments(given)), knownFailure);
