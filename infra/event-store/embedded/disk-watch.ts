import type { DatabaseSync } from "node:sqlite";
import type { WhyNotWritable } from "../not-writable.ts";
import { diskErrorOf } from "./disk-error.ts";
import { maximumAppendBytes } from "./limits.ts";

/** How often writing is probed after the disk refused a write, in milliseconds. */
const tryEveryMs = 1_000;

/** Whether the disk accepts writes, from the outcome of the last ones. */
export interface DiskWatch {
  /** Why nothing can be written; null while the disk takes what it is given. */
  notWritable(): WhyNotWritable | null;
  /** A write of so many bytes was refused. */
  refused(why: WhyNotWritable, bytes: number): void;
  close(): void;
}

/**
 * Reports the disk as not writable from a refused write until a probe of the same size succeeds. It must probe by itself, because load
 * balancers send no more appends to a store that is not ready. `tell` is called once for each change.
 */
export function watchDisk(database: DatabaseSync, tell: (why: WhyNotWritable | null) => void): DiskWatch {
  let why: WhyNotWritable | null = null;
  let wanted = 0;
  let trying: NodeJS.Timeout | undefined;

  function change(to: WhyNotWritable | null): void {
    if (to === why) return;
    why = to;
    tell(to);
  }

  /** Writes a text to a table and its index and removes it again, in one transaction. */
  function attempt(): void {
    try {
      database.exec("BEGIN IMMEDIATE");
      database.prepare("INSERT OR REPLACE INTO upkeep VALUES (?)").run("x".repeat(Math.max(1, Math.ceil(wanted / 2))));
      database.exec("DELETE FROM upkeep WHERE task LIKE 'x%'; COMMIT");
      clearInterval(trying);
      trying = undefined;
      wanted = 0;
      change(null);
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      change(diskErrorOf(error)?.why ?? why);
    }
  }

  return {
    notWritable: () => why,
    refused(reason, bytes) {
      wanted = Math.min(maximumAppendBytes, Math.max(wanted, bytes));
      change(reason);
      trying ??= setInterval(attempt, tryEveryMs).unref();
    },
    close: () => clearInterval(trying),
  };
}
