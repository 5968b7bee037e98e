import { once } from "node:events";
import { createWriteStream, existsSync, rmSync } from "node:fs";
import { runTool, UsageError } from "@colloquy/infra/command-line.ts";
import { readConfig } from "@colloquy/infra/config.ts";
import { openDatabase } from "@colloquy/infra/database/open.ts";
import { reachEventStore } from "@colloquy/infra/event-store/reach.ts";
import { openLedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import { openObjectStore } from "@colloquy/infra/object-store/open.ts";
import { courseCatalogue } from "@colloquy/projections/courses/queries.ts";
import { openPassageLibrary } from "@colloquy/projections/passages/queries.ts";
import { courseRevisions } from "../courses/revisions.ts";
import { liveCourses } from "../review/live-course.ts";
import { accountCards } from "../review/routes.ts";
import type { QueryTables } from "../routes.ts";
import { writeArchive } from "./archive.ts";

const usage = "Usage: npm run accounts -- export <account id> <file.zip>";

/** Writes the archive of an account into a new file, readable by its owner only: for `npm run accounts`. */
async function run([accountId, file]: string[]): Promise<number> {
  if (!accountId || !file) throw new UsageError("Name an account and a file.");
  if (existsSync(file)) throw new UsageError(`${file} exists already. Name a new file.`);
  const config = readConfig();
  const { store, close } = await reachEventStore(config);
  const database = openDatabase<QueryTables>(config, { readOnly: true });
  const output = createWriteStream(file, { flags: "wx", mode: 0o600 });
  try {
    await once(output, "open");
    const objectStore = openObjectStore(config);
    const catalogue = courseCatalogue(database);
    const library = openPassageLibrary({ objectStore, catalogue, publicUrl: config.publicUrl });
    const courses = liveCourses({ revisions: courseRevisions({ catalogue, objectStore }), objectStore, library });
    const needs = {
      database,
      cards: accountCards({ database, courses }),
      store,
      signer: openLedgerSigner(config),
      publicUrl: config.publicUrl,
    };
    const account = { accountId, name: "", roles: [] };
    await writeArchive(needs, account, output, async () => {
      if (output.writableNeedDrain) await once(output, "drain");
    });
    await once(output, "finish");
    console.log(`Everything of ${accountId} is in ${file}.`);
    return 0;
  } catch (error) {
    output.destroy();
    rmSync(file, { force: true });
    throw error;
  } finally {
    await database.destroy();
    await close();
  }
}

await runTool(usage, run);
