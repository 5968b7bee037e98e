import { lstatSync, opendirSync } from "node:fs";
import { join } from "node:path";

/** What an empty file or a folder costs all the same, so that their number is bounded, too. */
const entryBytes = 4_096;

/**
 * What a folder and all that is in it take of a disk, in bytes, as far as it takes to know that it is more than `most`. What goes while it
 * is looked at counts nothing; what cannot be looked at (paths that became too long, say) is more than anything.
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
