import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";

/** Encoded scenes of earlier renders, the ones that were not used for longest thrown away first. A renderer only reads here. */
export interface SegmentCache {
  folder: string;
  /** Takes in what a renderer has drawn and marks what it has used: only under the names that its own order has. */
  adopt(from: string, keys: readonly string[]): void;
}

export function segmentCache(folder: string, mostBytes: number): SegmentCache {
  mkdirSync(folder, { recursive: true, mode: 0o700 });

  function prune(): void {
    const files = readdirSync(folder).flatMap((name) => {
      const { size, mtimeMs } = statSync(join(folder, name), { throwIfNoEntry: false }) ?? { size: 0, mtimeMs: 0 };
      return [{ name, size, mtimeMs }];
    });
    let bytes = files.reduce((sum, { size }) => sum + size, 0);
    for (const { name, size } of files.toSorted((one, other) => one.mtimeMs - other.mtimeMs)) {
      if (bytes <= mostBytes) return;
      rmSync(join(folder, name), { force: true });
      bytes -= size;
    }
  }

  return {
    folder,
    adopt(from, keys) {
      const now = new Date();
      for (const key of new Set(keys)) {
        const [drawn, kept] = [join(from, key), join(folder, key)];
        try {
          if (statSync(drawn, { throwIfNoEntry: false })?.isFile()) renameSync(drawn, kept);
          utimesSync(kept, now, now);
        } catch {
          // Another render threw it away, or the folder is full: it is drawn again next time.
        }
      }
      prune();
    },
  };
}
