import type { WhyNotWritable } from "../not-writable.ts";
import { compact, purgeHidden } from "./compact.ts";
import { DiskError, diskErrorOf } from "./disk-error.ts";
import { type DiskWatch, watchDisk } from "./disk-watch.ts";
import { openReader, type Reader } from "./reader.ts";
import type { Expected, ProposedEvent, StreamState, WriteResult } from "./records.ts";
import { eventSize } from "./requests.ts";
import { busyTimeoutMs, openDatabase } from "./schema.ts";
import { openStreams } from "./streams.ts";
import { openWriter } from "./writer.ts";

/** A requested write. */
export type Write =
  | { kind: "append"; stream: string; expected: Expected; events: readonly ProposedEvent[] }
  | { kind: "delete" | "tombstone"; stream: string; expected: Expected };

/** The outcome of one write of a group. */
export type WriteOutcome = WriteResult | { kind: "failed"; error: Error };

export interface Store {
  /** Writes a group in one transaction. When it returns, everything is on the disk and purged text is off it (or `warn` was called). */
  writeAll(writes: readonly Write[]): WriteOutcome[];
  state(stream: string): StreamState | null;
  reader: Reader;
  /** Whether it behaves as EventStoreDB at its least convenient. */
  isStrict: boolean;
  /** Place of the next event. */
  end(): number;
  /** Whether a reader may begin at this position: in strict mode only where an event stands, or from the end on. */
  isPlace(position: number): boolean;
  /** Purges everything that is hidden. Returns how many bytes of text that were. */
  scavenge(): number;
  /** Why nothing can be written, as the last writes were answered; null while the disk takes them. */
  notWritable: DiskWatch["notWritable"];
  /** Calls back after each group that added events. Returns how to stop it. */
  onCommit(callback: () => void): () => void;
  close(): void;
}

/** Callbacks for what happens besides the answers. */
export interface StoreNotices {
  /** Upkeep failed and will be tried again. */
  warn?: (message: string, error: unknown) => void;
  /** The disk refuses writes from now on or, with null, accepts them again. */
  onDisk?: (why: WhyNotWritable | null) => void;
}

export interface StoreOptions extends StoreNotices {
  /** Behaves as EventStoreDB at its least convenient: see `docs/build/checks.md`. */
  strict?: boolean;
}

/** Pause before the log is truncated again while a reader still uses it, in milliseconds. */
const tryAgainMs = 500;

/**
 * Opens the events of a folder. Whoever opens it must be its only writer (`lock.ts`).
 * @throws Error when the file cannot be opened or is of a later version.
 */
export function openStore(folder: string, { warn = () => {}, onDisk = () => {}, strict = false }: StoreOptions = {}): Store {
  const database = openDatabase(folder);
  try {
    if (!strict) purgeHidden(database);
    compact(database);
  } catch (error) {
    warn("the disk space of purged events could not be freed", error);
  }
  const streams = openStreams(database);
  const reader = openReader(database);
  const writer = openWriter(database, streams, reader, { strict });
  const disk = watchDisk(database, onDisk);
  const begin = database.prepare("BEGIN IMMEDIATE");
  const commit = database.prepare("COMMIT");
  const listeners = new Set<() => void>();
  // Purged text may still stand in the write-ahead log of an earlier run that was killed before it emptied it.
  let logHasPurgedText = true;
  let again: NodeJS.Timeout | undefined;

  /** Never waits: a backup may read one snapshot for long, and appends must not wait for it. */
  function truncateLog(): void {
    clearTimeout(again);
    try {
      database.exec("PRAGMA busy_timeout = 0");
      const result = database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
      logHasPurgedText = Number(result?.busy) !== 0;
    } catch (error) {
      warn("the write-ahead log could not be emptied; purged text may still stand in it", error);
    } finally {
      database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    }
    if (logHasPurgedText) again = setTimeout(truncateLog, tryAgainMs).unref();
  }

  function inTransaction<Result>(work: () => Result): Result {
    begin.run();
    try {
      const result = work();
      commit.run();
      writer.committed();
      return result;
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      writer.rewind();
      throw error;
    }
  }

  const write = (one: Write): WriteResult =>
    one.kind === "append" ? writer.append(one.stream, one.expected, one.events) : writer[one.kind](one.stream, one.expected);

  /** Writes one alone after its group failed, so that the faulty write does not fail the others. */
  function writeAlone(one: Write): WriteOutcome {
    try {
      return inTransaction(() => write(one));
    } catch (error) {
      return { kind: "failed", error: diskErrorOf(error) ?? (error instanceof Error ? error : new Error(String(error))) };
    }
  }

  function writeGroup(writes: readonly Write[]): WriteOutcome[] {
    if (writes.length > 1) {
      try {
        return inTransaction(() => writes.map(write));
      } catch (error) {
        // A disk that refused the group refuses each write, too; thousands of attempts would keep readers waiting.
        const trouble = diskErrorOf(error);
        return trouble ? writes.map(() => ({ kind: "failed", error: trouble })) : writes.map(writeAlone);
      }
    }
    return writes.map(writeAlone);
  }

  truncateLog();
  return {
    reader,
    notWritable: disk.notWritable,
    state: streams.find,
    isStrict: strict,
    end: writer.end,
    isPlace: (position) => !strict || position >= writer.end() || reader.isPlace(position),
    scavenge() {
      const bytes = purgeHidden(database);
      reader.changed();
      logHasPurgedText = true;
      truncateLog();
      return bytes;
    },
    onCommit(callback) {
      listeners.add(callback);
      return () => listeners.delete(callback);
    },
    writeAll(writes) {
      const before = writer.last();
      const settled = writeGroup(writes);
      reader.changed();
      for (const [index, one] of settled.entries())
        if (one.kind === "failed" && one.error instanceof DiskError) disk.refused(one.error.why, sizeOf(writes[index]));
      if (writer.takePurged()) logHasPurgedText = true;
      if (logHasPurgedText) truncateLog();
      if (writer.last() !== before) for (const listener of listeners) listener();
      return settled;
    },
    close() {
      listeners.clear();
      disk.close();
      truncateLog();
      clearTimeout(again);
      database.close();
    },
  };
}

const sizeOf = (write: Write | undefined): number =>
  write?.kind === "append" ? write.events.reduce((bytes, event) => bytes + eventSize(event), 0) : 0;
