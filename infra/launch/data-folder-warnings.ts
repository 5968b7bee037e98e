import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Config } from "../config.ts";
import { databaseFile } from "../event-store/embedded/schema.ts";
import { dataFolder } from "./plan.ts";

type Looked = Pick<Config, "DATA_DIR" | "DATABASE_URL" | "ACCOUNT_SECRET">;

/** Warnings about the data folder, printed once at the start, before anything is created there. */
export function dataFolderWarnings(config: Looked): string[] {
  const folder = dataFolder(config);
  const told: string[] = [];
  if (!config.ACCOUNT_SECRET && !existsSync(join(folder, "secrets/account")) && hasConversations(join(folder, "event-store")))
    told.push(
      `The data folder has conversations but not the secret that account ids derive from (${join(folder, "secrets/account")}): everybody gets a new account id and nobody finds their conversations. Stop the program, copy secrets/ from the installation that the events come from (docs/run/backup.md), and start again.`,
    );
  const old = join(folder, "read-models.db");
  if (config.DATABASE_URL && config.DATABASE_URL !== `sqlite://${old}` && existsSync(old))
    told.push(
      `${old} is unused since DATABASE_URL was set, but still holds everyone's text, including text that is deleted later. Delete it, with its -wal and -shm files.`,
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
