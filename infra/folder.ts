import { mkdirSync, statSync } from "node:fs";
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
