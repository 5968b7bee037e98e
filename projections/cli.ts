import { parseArgs } from "node:util";
import { type Failure, failureOf, parseCall, runTool, UsageError } from "@colloquy/infra/command-line.ts";
import { readConfig } from "@colloquy/infra/config.ts";
import { damagedFileAdvice } from "@colloquy/infra/database/damage.ts";
import { openDatabase, queryTimeoutMs } from "@colloquy/infra/database/open.ts";
import type { EventStore } from "@colloquy/infra/event-store/client.ts";
import { reachEventStore } from "@colloquy/infra/event-store/reach.ts";
import type { Kysely } from "kysely";
import { EventRefused } from "./apply-batch.ts";
import { migrate } from "./checkpoints/migrate.ts";
import { projectionProgress, rebuildsUnderWay } from "./checkpoints/queries.ts";
import { areCheckpointTablesReady, type CheckpointTables } from "./checkpoints/tables.ts";
import { progressLine, statusText, verdictSummary, verdictsText } from "./cli-words.ts";
import { liveRunners, noteOperation } from "./presence.ts";
import type { Projection } from "./projection.ts";
import { projections } from "./projections.ts";
import { LeaseLost, RebuildRunning } from "./rebuild/lease.ts";
import { rebuild, verify } from "./rebuild/rebuild.ts";

const usage = `Usage: npm run projections -- status [--json]
       npm run projections -- rebuild <name|all> [--json]
       npm run projections -- verify [name…] [--json]

status   how far each read model is, and what stands in its way
rebuild  builds read models anew from the first event, beside those that serve, then swaps them
verify   builds them anew beside, and tells every row that differs; ends with 1 when one does

All work whether the program runs or not. Ctrl-C cancels a rebuild; nothing has changed then.
Read models: ${projections.map(({ name }) => name).join(", ")}`;

/** Several busy processes may keep a SQLite file from this one for long; it serves nobody meanwhile. Less than a rebuild's lease. */
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

function chosen(names: readonly string[]): Projection[] {
  const unknown = names.filter((name) => name !== "all" && !projections.some((one) => one.name === name));
  if (unknown.length > 0) throw new UsageError(`There is no read model ${unknown.join(", ")}.`);
  return projections.filter(({ name }) => names.includes("all") || names.includes(name));
}

/** Prints progress to standard error, on one line where somebody watches. */
function progress(store: EventStore) {
  let shown = Number.NEGATIVE_INFINITY;
  const began = performance.now();
  let last: string | null = null;
  store.head().then(
    (position) => (last = position),
    () => null,
  );
  return (parts: { name: string; events: number; position: string | null }[]): void => {
    if (performance.now() - shown < progressMs) return;
    shown = performance.now();
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
    if (command === "status") return await tellStatus(tools);
    if (command === "rebuild") return await runRebuild(tools, names);
    if (command === "verify") return await runVerify(tools, reader, names);
    throw new UsageError(`There is no command ${command}.`);
  } finally {
    await Promise.all([database.destroy(), reader.destroy()]);
    await close();
  }
}

/** At a first start there may be no tables yet. Where there are, they are left to the running program. */
async function ensureTables(database: Kysely<CheckpointTables>): Promise<void> {
  const ready = await areCheckpointTablesReady(database);
  const rows = ready ? await database.selectFrom("checkpoints").select("name").execute() : [];
  if (!ready || !projections.every(({ name }) => rows.some((row) => row.name === name))) await migrate(database, projections);
}

async function tellStatus({ database, store, signal, json }: Tools): Promise<number> {
  const [rows, rebuilds, runners] = await Promise.all([
    projectionProgress(database, store, signal),
    rebuildsUnderWay(database),
    liveRunners(database),
  ]);
  console.log(json ? JSON.stringify({ schemaVersion: 1, projections: rows, rebuilds, runners }) : statusText(rows, rebuilds, runners));
  return 0;
}

async function runRebuild({ database, store, signal, json }: Tools, names: string[]): Promise<number> {
  if (names.length === 0) throw new UsageError("Name the read model to rebuild, or all.");
  const began = performance.now();
  const asked = chosen(names);
  const done = await noted(database, "rebuild", asked, async () => {
    const rebuilt = await rebuild({ projections: asked, database, store, signal, onProgress: progress(store) });
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
  const asked = chosen(names.length === 0 ? ["all"] : names);
  const verdicts = await noted(database, "verify", asked, async () => {
    const found = await verify({ projections: asked, database, reader, store, signal, onProgress: progress(store) });
    return { result: found, outcome: verdictSummary(found) };
  });
  if (process.stderr.isTTY) process.stderr.write("\n");
  console.log(json ? JSON.stringify({ schemaVersion: 1, verdicts }) : verdictsText(verdicts));
  return verdicts.some(({ differences }) => differences.length > 0) ? 1 : 0;
}

/** Does it, and leaves a line at its beginning and one at its end for the projections' log. */
async function noted<Result>(
  database: Kysely<CheckpointTables>,
  command: string,
  asked: readonly Projection[],
  work: () => Promise<{ result: Result; outcome: string }>,
): Promise<Result> {
  const what = `an operator's ${command} of ${asked.map(({ name }) => name).join(", ")}`;
  const note = (told: string) => noteOperation(database, told).catch(() => undefined);
  await note(`${what} began`);
  try {
    const { result, outcome } = await work();
    await note(`${what} ended: ${outcome}`);
    return result;
  } catch (error) {
    await note(`${what} came to nothing: ${failureOf(error, usage, known).message.split("\n")[0]}`);
    throw error;
  }
}

class Cancelled extends Error {}

/** What is said of an error that is known here. */
function known(error: unknown): Failure | null {
  if (error instanceof Cancelled) return { message: "Cancelled. What was live stays.", code: 130 };
  if (error instanceof RebuildRunning || error instanceof LeaseLost) return { message: error.message, code: 1 };
  const damage = damagedFileAdvice(error);
  if (damage) return { message: damage, code: 1 };
  if (!(error instanceof EventRefused)) return null;
  const { id, type, stream, position } = error.event;
  const why = error.cause instanceof Error ? error.cause.message : String(error.cause);
  return { message: `${type} ${id} (${stream}, position ${position}) cannot be applied: ${why}\nWhat was live stays.`, code: 1 };
}

await runTool(usage, (given) => run(readArguments(given)), known);
