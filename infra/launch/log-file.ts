import { closeSync, fstatSync, openSync, renameSync, writeSync } from "node:fs";

export interface LogFile {
  path: string;
  /** Never throws: a line there is no room for is dropped. */
  write(line: string): void;
  close(): void;
}

interface Options {
  maxBytes?: number;
  keep?: number;
  /** Told once when lines begin to be dropped, and with null when they are written again. */
  onError?: (error: Error | null) => void;
}

/** A log file that never outgrows `maxBytes`: when it is full it becomes `<path>.1`, the older ones move up, the oldest beyond `keep` goes. */
export function openLogFile(path: string, { maxBytes = 5_000_000, keep = 3, onError: onTrouble = () => undefined }: Options = {}): LogFile {
  let handle: number | null = null;
  let size = 0;
  let dropping = false;
  /** The disk took only the beginning of a line. */
  let torn = false;

  function open(): number {
    handle = openSync(path, "a", 0o600);
    size = fstatSync(handle).size;
    return handle;
  }

  function shut(): void {
    if (handle === null) return;
    const open = handle;
    handle = null;
    closeSync(open);
  }

  function rotate(): number {
    shut();
    for (let number = keep - 1; number >= 0; number -= 1) {
      try {
        renameSync(number ? `${path}.${number}` : path, `${path}.${number + 1}`);
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
      }
    }
    torn = false;
    return open();
  }

  /** Logging never ends a program: a full disk costs lines, and each next line tries again. */
  function dropOnError(work: () => void): void {
    try {
      work();
      if (dropping) onTrouble(null);
      dropping = false;
    } catch (error) {
      ignoreErrors(shut);
      if (!dropping) onTrouble(error instanceof Error ? error : new Error(String(error)));
      dropping = true;
    }
  }

  dropOnError(open);
  return {
    path,
    write(line) {
      dropOnError(() => {
        let to = handle ?? open();
        const bytes = Buffer.from(`${torn ? "\n" : ""}${line}\n`);
        if (size > 0 && size + bytes.length > maxBytes) to = rotate();
        const written = writeSync(to, bytes);
        size += written;
        torn = written < bytes.length && (torn || written > 0);
        if (written < bytes.length) throw new Error("ENOSPC: only a part of a line was written");
      });
    },
    close: () => ignoreErrors(shut),
  };
}

/** A file that cannot be closed well is a file all the same that nobody writes to any more. */
function ignoreErrors(close: () => void): void {
  try {
    close();
  } catch {
    // What it would say, a write has said.
  }
}
