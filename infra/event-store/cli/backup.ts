import { runTool, UsageError } from "../../command-line.ts";
import { readConfig } from "../../config.ts";
import { recordOperatorCommand } from "../../operator-record.ts";
import { BackupError, backUp, megabytes } from "../embedded/backup.ts";

const usage = `Usage: npm run eventstore:backup -- <file>

Copies a snapshot of all events into a new file and checks the copy. The program may run meanwhile.
The folder of the file is created if only that folder is missing.
Text that was deleted before is not in the backup. Text that is deleted later stays in it until you delete the file.
Restore: docs/run/backup.md.`;

/** `npm run eventstore:backup -- <file>`: 0 when the copy is there and was checked, 1 when it could not be made, 2 for a wrong call. */
async function run(given: string[]): Promise<number> {
  const [file, ...rest] = given;
  if (file === "--help" || file === "-h") throw new UsageError();
  if (!file || rest.length > 0 || file.startsWith("-")) throw new UsageError("Name one file for the backup.");
  const config = readConfig();
  if (config.EVENTSTORE_URL)
    throw new BackupError(
      "EVENTSTORE_URL is set, and this command copies only the embedded event store. Back up the other one with its own tools.",
    );
  const made = await backUp(config.DATA_DIR, file);
  recordOperatorCommand(config, "eventstore:backup", { file: made.file });
  if (!made.running) console.log("The program does not run. The backup holds its last state.");
  console.log(`${made.events} events, up to position ${made.position}, copied to ${made.file} (${megabytes(made.bytes)}) and checked.`);
  console.log("The file keeps the text of conversations that are deleted later. Delete it when you no longer need it.");
  return 0;
}

await runTool(usage, run, (error) => (error instanceof BackupError ? { message: error.message, code: 1 } : null));
