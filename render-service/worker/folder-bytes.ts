import { lstatSync, opendirSync } from "node:fs";
import { join } from "node:path";

/** Counted for every file and folder, so that their number is bounded too. */
const entryBytes = 4_096;

/**
 * Disk usage of a folder in bytes, counted until it exceeds `most`. Files that disappear meanwhile count nothing; a path that cannot be
 * read (too long, for example) counts as infinite.
 */
export function folderBytes(folder: string, most: number): number {
  let bytes = 0;
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined && bytes <= most; next = folders.pop())
    try {
      const entries = opendirSync(next);
      try {
        for (let entry = entries.readSync(); entry && bytes <= most; entry = entries.readSync()) {
          const path = join(next, entry.name);
          if (entry.isDirectory()) folders.push(path);
          bytes += Math.max(entryBytes, lstatSync(path, { throwIfNoEntry: false })?.size ?? 0);
        }
      } finally {
        entries.closeSync();
      }
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) return Number.POSITIVE_INFINITY;
    }
  return bytes;
}
