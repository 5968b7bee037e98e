import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder and those above it, for their owner alone, unless it is there. Node's own `recursive` never returns where the system says
 * ENOENT to a mkdir whose parent is there (as /proc does).
 * @throws the system's error
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
    const parent = dirname(path);
    if (code !== "ENOENT" || parent === path || statSync(parent, { throwIfNoEntry: false })) throw error;
    makeFolder(parent);
    mkdirSync(path, { mode: 0o700 });
  }
}

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
