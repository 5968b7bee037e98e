import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";

/** A folder for one job; `clear` removes it. */
export function jobFolder(within: string): { folder: string; clear(): void } {
  mkdirSync(within, { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(join(within, "job-"));
  return { folder, clear: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }) };
}
