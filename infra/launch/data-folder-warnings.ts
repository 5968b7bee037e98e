import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Config } from "../config.ts";
import { databaseFile } from "../event-store/embedded/schema.ts";
import { dataFolder } from "./plan.ts";

type Looked = Pick<Config, "DATA_DIR" | "DATABASE_URL" | "ACCOUNT_SECRET">;

/** What a start finds in the data folder that somebody should know of: said once, before anything is made there. */
export function dataFolderWarnings(config: Looked): string[] {
  const folder = dataFolder(config);
  const told: string[] = [];
  if (!config.ACCOUNT_SECRET && !existsSync(join(folder, "secrets/account")) && hasConversations(join(folder, "event-store")))
    told.push(
      `There are conversations here, but not the secret that names their owners (${join(folder, "secrets/account")}): everybody gets a new name and nobody finds theirs. Stop, copy secrets/ from where the events come from (docs/run/backup.md), and start again.`,
    );
  const old = join(folder, "read-models.db");
  if (config.DATABASE_URL && config.DATABASE_URL !== `sqlite://${old}` && existsSync(old))
    told.push(
      `${old} is left from before DATABASE_URL was set. It is not used and keeps everyone's text, also what is deleted from now on. Delete it, with its -wal and -shm.`,
    );
  return told;
}

function hasConversations(folder: string): boolean {
  if (!existsSync(databaseFile(folder))) return false;
  try {
    const database = new DatabaseSync(databaseFile(folder), { readOnly: true });
    try {
      return database.prepare("SELECT 1 FROM streams WHERE name LIKE 'conversation-%' LIMIT 1").get() !== undefined;
    } finally {
      database.close();
    }
  } catch {
    // A file that cannot be read is the event store's to name.
    return false;
  }
}
