import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { parseCall, runTool, UsageError } from "@colloquy/infra/command-line.ts";
import { readConfig } from "@colloquy/infra/config.ts";
import { openDatabase, sqliteFile } from "@colloquy/infra/database/open.ts";
import { examineEventStore } from "@colloquy/infra/event-store/doctor/examine.ts";
import { type Finding, failure, findingsText } from "@colloquy/infra/event-store/doctor/finding.ts";
import { reachEventStore } from "@colloquy/infra/event-store/reach.ts";
import { withTimeout } from "@colloquy/infra/with-timeout.ts";
import { projectionProgress } from "./checkpoints/queries.ts";
import { areCheckpointTablesReady, type CheckpointTables } from "./checkpoints/tables.ts";
import { checkpointFindings } from "./doctor-findings.ts";
import { countLiveRunners } from "./heartbeat.ts";

const usage = `Usage: npm run doctor [-- --json]

Examines the event store and the read models: address, TLS, version, rights of the user, clock, round trips, scavenges, and checkpoints
against the last event. One line for each finding, with what to do. Writes nothing. Exits with 1 when something does not work.
Works whether the program runs or not.`;

/** How long the read models may take to answer, in milliseconds. */
const readModelsWithinMs = 10_000;

const readArguments = (given: string[]): { json: boolean } =>
  parseCall(() => {
    const { values } = parseArgs({
      args: given,
      options: { json: { type: "boolean", default: false }, help: { type: "boolean", short: "h" } },
    });
    if (values.help) throw new UsageError("");
    return values;
  });

async function run({ json }: { json: boolean }): Promise<number> {
  const config = readConfig();
  const { store, url, close } = await reachEventStore(config);
  try {
    const findings = await examineEventStore(url, { isEmbedded: !config.EVENTSTORE_URL });
    if (findings.every(({ level }) => level !== "failure")) {
      const database = openDatabase<CheckpointTables>(config, { readOnly: true });
      const readModels = async (): Promise<Finding[]> => {
        const file = sqliteFile(config);
        if ((file !== null && !existsSync(file)) || !(await areCheckpointTablesReady(database))) return checkpointFindings([], 0);
        const signal = AbortSignal.timeout(readModelsWithinMs);
        return checkpointFindings(await projectionProgress(database, store, signal), await countLiveRunners(database));
      };
      const asked = withTimeout(readModels(), readModelsWithinMs, `No answer within ${readModelsWithinMs} ms.`);
      findings.push(
        ...(await asked.catch((error: unknown) => [
          failure(
            "read models",
            `They cannot be read: ${error instanceof Error ? error.message : String(error)} Check DATABASE_URL and its server.`,
          ),
        ])),
      );
      await database.destroy();
    }
    console.log(json ? JSON.stringify({ schemaVersion: 1, findings }) : findingsText(findings));
    return findings.some(({ level }) => level === "failure") ? 1 : 0;
  } finally {
    await close();
  }
}

await runTool(usage, (given) => run(readArguments(given)));
