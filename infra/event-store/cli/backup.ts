import { runTool, UsageError } from "../../command-line.ts";
import { readConfig } from "../../config.ts";
import { BackupError, backUp, megabytes } from "../embedded/backup.ts";

const usage = `Usage: npm run eventstore:backup -- <file>

Copies every event into a new file (and makes its folder, where only that is missing), as of one moment, while the program runs or not, and checks the copy.
What was deleted before is not in it. What is deleted later stays in it until you delete the file.
How to restore it: docs/run/backup.md.`;

/** `npm run eventstore:backup -- <file>`: 0 when the copy is there and was checked, 1 when it could not be made, 2 for a wrong call. */
async function run(given: string[]): Promise<number> {
  const [file, ...rest] = given;
  if (file === "--help" || file === "-h") throw new UsageError();
  if (!file || rest.length > 0 || file.startsWith("-")) throw new UsageError("Name one file for the copy.");
  const config = readConfig();
  if (config.EVENTSTORE_URL)
    throw new BackupError("EVENTSTORE_URL names another event store: back that one up with its own tools. This copies the embedded one.");
  const made = await backUp({ dataDir: config.DATA_DIR, tls: config.EVENTSTORE_EMBEDDED_TLS === "on" }, file);
  if (!made.running) console.log("The program does not run: this is what it left.");
  console.log(`${made.events} events, up to position ${made.position}, are in ${made.file} (${megabytes(made.bytes)}), checked.`);
  console.log("It keeps the text of conversations that are deleted from now on until you delete the file.");
  return 0;
}

await runTool(usage, run, (error) => (error instanceof BackupError ? { message: error.message, code: 1 } : null));
