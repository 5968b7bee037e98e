import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { parseCall, runTool, UsageError } from "@colloquy/infra/command-line.ts";
import { readConfig } from "@colloquy/infra/config.ts";
import { openDatabase } from "@colloquy/infra/database/open.ts";
import { reachEventStore } from "@colloquy/infra/event-store/reach.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { endSessionsOf } from "@colloquy/infra/identity/ended-sessions.ts";
import { openLedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import { recordOperatorCommand } from "@colloquy/infra/operator-record.ts";
import type { CheckpointTables } from "@colloquy/projections/checkpoints/queries.ts";
import type { ExplainerTables } from "@colloquy/projections/explainers/queries.ts";
import type { SyncTables } from "@colloquy/projections/sync/queries.ts";
import type { TutorTables } from "@colloquy/projections/tutor/queries.ts";
import { id } from "@colloquy/schemas/payload.ts";
import { assistantsOf } from "../assistants/assistants.ts";
import { explainerJobs } from "../explainers/jobs.ts";
import { openModelUsage } from "../model-gateway/usage.ts";
import { reviewReminders } from "../reminders/reminders.ts";
import { changeHandlers } from "../sync/handlers.ts";
import { tutorSessions } from "../tutor/sessions.ts";
import { erasure } from "./erasure.ts";
import { signInsOf } from "./sign-ins.ts";

const usage = `Usage: npm run accounts -- end-sessions <account id> [--keep-assistants]
       npm run accounts -- disconnect <account id>
       npm run accounts -- export <account id> <file.zip>
       npm run accounts -- erase <account id> --yes

end-sessions  ends all current sessions, in every tab and process, and disconnects assistants, for instance after a role was removed at
              the identity provider or a device was lost. The account can sign in again.
disconnect    disconnects all assistants
export        writes everything the account owns into a new file, as its person can download it
erase         ends the sessions and deletes everything the account owns, as its person can. Back up first; this cannot be undone.

Events show the account id (acc_…): npm run events. Works whether the program runs or not, except that erase needs read models that are
up to date.`;

const commands = ["end-sessions", "disconnect", "export", "erase"] as const;

interface Arguments {
  command: (typeof commands)[number];
  accountId: string;
  file: string | undefined;
  keepAssistants: boolean;
}

const readArguments = (given: string[]): Arguments =>
  parseCall(() => {
    const { values, positionals } = parseArgs({
      args: given,
      allowPositionals: true,
      options: {
        "keep-assistants": { type: "boolean", default: false },
        yes: { type: "boolean", default: false },
        help: { type: "boolean", short: "h" },
      },
    });
    const [name, accountId, ...rest] = positionals;
    if (values.help || name === undefined) throw new UsageError("");
    const command = commands.find((one) => one === name);
    if (!command) throw new UsageError(`Unknown command ${name}. Use ${commands.slice(0, -1).join(", ")} or ${commands.at(-1)}.`);
    if (accountId === undefined) throw new UsageError("Name an account.");
    if (!id.safeParse(accountId).success || !accountId.startsWith("acc_"))
      throw new UsageError(`"${accountId}" is not an account id. Account ids begin with acc_; npm run events shows them.`);
    const files = command === "export" ? 1 : 0;
    if (rest.length !== files) throw new UsageError(files ? "Name one new file for the export." : "Name one account only.");
    if (command === "erase" && !values.yes) throw new UsageError("This deletes everything the account owns. Add --yes if you mean it.");
    return { command, accountId, file: rest[0], keepAssistants: values["keep-assistants"] };
  });

async function run({ command, accountId, file, keepAssistants }: Arguments): Promise<number> {
  const config = readConfig();
  if (command === "export") {
    const code = await exportTo(accountId, file ?? "");
    if (code === 0) recordOperatorCommand(config, "accounts export", { account: accountId });
    return code;
  }
  const { store, close } = await reachEventStore(config);
  const requestId = randomUUID();
  try {
    const assistants = assistantsOf(store);
    recordOperatorCommand(config, `accounts ${command}`, { account: accountId });
    const reminders = reviewReminders(store);
    if (!keepAssistants) await assistants.endAll(accountId, requestId);
    if (command === "disconnect") {
      console.log(`All assistants of ${accountId} are disconnected.`);
      return 0;
    }
    await reminders.handle(accountId, { type: "turn off", device: null, reason: "ended" }, requestId);
    await endSessionsOf(store, { accountId, requestId, hours: config.SESSION_HOURS });
    console.log(`All sessions of ${accountId} have ended. The account can sign in again.`);
    if (command === "end-sessions") return 0;
    const database = openDatabase<CheckpointTables & ExplainerTables & SyncTables & TutorTables>(config, { readOnly: true });
    const modelUsage = openModelUsage({ config, log: console });
    try {
      const erase = erasure({
        store,
        handlers: changeHandlers({ store }),
        database,
        sessions: tutorSessions({ store, signer: openLedgerSigner(config) }),
        assistants,
        signIns: signInsOf(store),
        reminders,
        jobs: explainerJobs({ store }),
        usage: modelUsage,
      });
      let deleted = 0;
      for (let remaining = true; remaining; ) {
        const part = await erase({ accountId, requestId });
        deleted += part.deleted;
        remaining = part.remaining;
      }
      console.log(`Everything of ${accountId} is deleted: ${deleted} conversations, annotations, sessions' texts and videos.`);
      console.log("Read models and devices follow as soon as the program runs. Older backups still hold the text.");
      return 0;
    } finally {
      await Promise.all([database.destroy(), modelUsage.close()]);
    }
  } finally {
    await close();
  }
}

/** The query API's part, as a process of its own. */
async function exportTo(accountId: string, file: string): Promise<number> {
  const tool = fileURLToPath(new URL("../../query-api/accounts/export.ts", import.meta.url));
  const child = spawn(process.execPath, [tool, accountId, file], { stdio: "inherit" });
  const [code] = (await once(child, "exit")) as [number | null];
  return code ?? 1;
}

const known = (error: unknown) =>
  error instanceof ProblemError && error.code === "read_model_behind"
    ? { message: "The read models are behind. Start the program, wait until it is ready, and run the same command again.", code: 1 }
    : null;

await runTool(usage, (given) => run(readArguments(given)), known);
