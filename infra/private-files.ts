import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates a folder and its parents, readable by their owner only. `mkdir` with `recursive` never returns where the system answers
 * ENOENT although the parent exists (as /proc does).
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

/** Creates a folder, or restricts an existing one, so that only the owner of the process can read what learners wrote. */
export function privateFolder(folder: string): void {
  makeFolder(folder);
  restrict(folder, 0o700);
}

/**
 * Restricts a file to its owner. An existing file is never opened: closing it would release every lock that this process has on it
 * (POSIX), including SQLite's.
 * @param make create the file, empty and already restricted, if it does not exist
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

/** Ignores a folder of another owner and a file system without permissions: the program can still work there. */
function restrict(path: string, mode: number): void {
  try {
    chmodSync(path, mode);
  } catch (error) {
    if (!["EPERM", "ENOTSUP", "EROFS", "ENOENT"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}
