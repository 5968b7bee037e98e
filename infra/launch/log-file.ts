import { closeSync, fstatSync, openSync, renameSync, writeSync } from "node:fs";

export interface LogFile {
  path: string;
  /** Never throws: lines are dropped while the disk is full. */
  write(line: string): void;
  close(): void;
}

interface Options {
  maxBytes?: number;
  keep?: number;
  /** Called once when lines begin to be dropped, and with null when they are written again. */
  onError?: (error: Error | null) => void;
}

/** A rotating log file: when it reaches `maxBytes` it becomes `<path>.1`, and files beyond `keep` are deleted. */
export function openLogFile(path: string, { maxBytes = 5_000_000, keep = 3, onError: onTrouble = () => undefined }: Options = {}): LogFile {
  let handle: number | null = null;
  let size = 0;
  let dropping = false;
  /** Only the beginning of a line was written. */
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

  /** Drops a line on an error instead of failing; the next line tries again. */
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

/** For closing a file: an error does not matter, because nothing is written to it any more. */
function ignoreErrors(close: () => void): void {
  try {
    close();
  } catch {
    // A failed write has reported the cause already.
  }
}
