import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";

/** A cache of encoded scenes with least-recently-used eviction. A renderer only reads it. */
export interface SegmentCache {
  /** The folder of a job's scenes. Each job has its own, so that a compromised renderer reaches no other video. */
  folderOf(jobId: string): string;
  /** Stores what a renderer drew and touches what it used, only under keys of its own order. */
  adopt(from: string, keys: readonly string[], jobId: string): void;
}

export function segmentCache(folder: string, mostBytes: number): SegmentCache {
  const folderOf = (jobId: string): string => {
    const own = join(folder, createHash("sha256").update(jobId).digest("hex"));
    mkdirSync(own, { recursive: true, mode: 0o700 });
    return own;
  };

  function prune(): void {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const [folders, others] = [true, false].map((are) =>
      entries.filter((entry) => entry.isDirectory() === are).map(({ parentPath, name }) => join(parentPath, name)),
    );
    const files = (others ?? []).map((file) => ({ file, ...statOf(file) }));
    let bytes = files.reduce((sum, { size }) => sum + size, 0);
    for (const { file, size } of files.toSorted((one, other) => one.mtimeMs - other.mtimeMs)) {
      if (bytes <= mostBytes) break;
      rmSync(file, { force: true });
      bytes -= size;
    }
    for (const one of folders ?? [])
      try {
        rmdirSync(one);
      } catch {
        // Something is in it.
      }
  }

  return {
    folderOf,
    adopt(from, keys, jobId) {
      const own = folderOf(jobId);
      const now = new Date();
      for (const key of new Set(keys)) {
        const [drawn, kept] = [join(from, key), join(own, key)];
        try {
          // A symbolic link could lead to any file.
          if (lstatSync(drawn, { throwIfNoEntry: false })?.isFile()) renameSync(drawn, kept);
          utimesSync(kept, now, now);
        } catch {
          // Another render evicted it, or the disk is full; it is drawn again next time.
        }
      }
      prune();
    },
  };
}

const statOf = (file: string) => lstatSync(file, { throwIfNoEntry: false }) ?? { size: 0, mtimeMs: 0 };
