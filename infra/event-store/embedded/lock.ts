import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { privateFile, privateFolder } from "../../private-files.ts";

/**
 * The single-writer lock of a folder: a lock of the operating system on a file, taken by SQLite. It is released when the process ends,
 * even if killed, so no stale lock remains and reused process ids do not matter.
 */
const lockFile = (folder: string): string => join(folder, "writer.lock");
const sqliteBusy = 5;
/** How long taking the lock waits for a process that only checks whether it is held, in milliseconds. */
const lookerMs = 1_000;

/** Takes the lock; null when another process (or this one) holds it. */
export function takeLock(folder: string): { release(): void } | null {
  privateFolder(folder);
  privateFile(lockFile(folder), { make: true });
  const database = new DatabaseSync(lockFile(folder), { timeout: lookerMs });
  try {
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === sqliteBusy) return null;
    throw error;
  }
  return { release: () => database.close() };
}

/** Whether a process holds the lock. */
export function isLocked(folder: string): boolean {
  let database: DatabaseSync;
  try {
    database = new DatabaseSync(lockFile(folder), { timeout: 0, readOnly: true });
  } catch {
    return false;
  }
  try {
    // Reading needs a shared lock, which an exclusive one refuses.
    database.prepare("SELECT count(*) FROM sqlite_schema").get();
    return false;
  } catch (error) {
    return (error as { errcode?: number }).errcode === sqliteBusy;
  } finally {
    database.close();
  }
}
