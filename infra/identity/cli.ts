import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import { id } from "@colloquy/schemas/payload.ts";
import { parseCall, runTool, UsageError } from "../command-line.ts";
import { readConfig } from "../config.ts";
import { reachEventStore } from "../event-store/reach.ts";
import { recordOperatorCommand } from "../operator-record.ts";
import { endSessionsOf } from "./ended-sessions.ts";

const usage = `Usage: npm run sessions:end -- <account id>

Ends all current sessions of an account, in every tab and process, for instance after a role was removed at the identity provider or
a device was lost. Its events show the account id (acc_…): npm run events. Works whether the program runs or not.`;

const readArguments = (given: string[]): string =>
  parseCall(() => {
    const { values, positionals } = parseArgs({ args: given, allowPositionals: true, options: { help: { type: "boolean", short: "h" } } });
    const [accountId, ...rest] = positionals;
    if (values.help || accountId === undefined) throw new UsageError("");
    if (rest.length > 0) throw new UsageError("Name one account only.");
    if (!id.safeParse(accountId).success || !accountId.startsWith("acc_"))
      throw new UsageError(`"${accountId}" is not an account id. Account ids begin with acc_; npm run events shows them.`);
    return accountId;
  });

async function run(accountId: string): Promise<number> {
  const config = readConfig();
  const { store, close } = await reachEventStore(config);
  try {
    await endSessionsOf(store, { accountId, requestId: randomUUID(), hours: config.SESSION_HOURS });
    recordOperatorCommand(config, "sessions:end", { account: accountId });
    console.log(`All sessions of ${accountId} have ended. The account can sign in again.`);
    return 0;
  } finally {
    await close();
  }
}

await runTool(usage, (given) => run(readArguments(given)));
