import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { privateFile, privateFolder } from "../../private-files.ts";

/**
 * The one-writer lock of a folder. It is the operating system's lock on a file that SQLite holds for us, so a process that is
 * killed lets go of it in the same moment and no stale lock exists, whatever process ids are given again.
 */
const lockFile = (folder: string): string => join(folder, "writer.lock");
const sqliteBusy = 5;
/** How long taking it waits for one who only looks whether it is held, in milliseconds: that is over in a moment, on a busy machine a long one. */
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

/** Whether somebody holds it. A folder that is not there is nobody's. */
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
