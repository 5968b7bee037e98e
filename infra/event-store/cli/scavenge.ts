import { runTool, UsageError } from "../../command-line.ts";
import { readConfig } from "../../config.ts";
import { recordOperatorCommand } from "../../operator-record.ts";
import { reachEventStore } from "../reach.ts";
import { ScavengeFailed, scavenge } from "../scavenge.ts";

const usage = `Usage: npm run eventstore:scavenge

Removes text that was deleted from the event store's files, on each node of a cluster in turn, and shows the progress.
Needs a user of $ops or $admins in EVENTSTORE_URL. The program may run meanwhile. Ctrl-C stops watching, not the scavenge.`;

/** `npm run eventstore:scavenge`: 0 when every node was scavenged, 1 when one was not, 2 for a wrong call. */
async function run(given: string[]): Promise<number> {
  if (given.length > 0) throw new UsageError(given[0] === "--help" || given[0] === "-h" ? "" : "This command takes no arguments.");
  const config = readConfig();
  const { url, close } = await reachEventStore(config);
  try {
    recordOperatorCommand(config, "eventstore:scavenge", {});
    await scavenge(url, (line) => console.log(line));
    return 0;
  } finally {
    await close();
  }
}

await runTool(usage, run, (error) => (error instanceof ScavengeFailed ? { message: error.message, code: 1 } : null));
