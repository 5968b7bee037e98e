import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import { makeFolder } from "./folder.ts";

/** What learners wrote is for the owner of the process alone, also where the folder was there before us. */
export function privateFolder(folder: string): void {
  makeFolder(folder);
  restrict(folder, 0o700);
}

/**
 * @param make whether it is made, empty, when it is not there: for its owner from its first byte on. One that is there is never opened:
 * closing it would let go of every lock this process has on it (POSIX), SQLite's too.
 */
export function privateFile(file: string, { make = false } = {}): void {
  if (existsSync(file) || !make) {
    restrict(file, 0o600);
    return;
  }
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** A folder of somebody else's, or a file system without rights, must not keep the program from working. */
function restrict(path: string, mode: number): void {
  try {
    chmodSync(path, mode);
  } catch (error) {
    if (!["EPERM", "ENOTSUP", "EROFS", "ENOENT"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}
