import { closeSync, fstatSync, openSync, renameSync, writeSync } from "node:fs";

export interface LogFile {
  path: string;
  write(line: string): void;
  close(): void;
}

/** A log file that never outgrows `maxBytes`: when it is full it becomes `<path>.1`, the older ones move up, the oldest beyond `keep` goes. */
export function openLogFile(path: string, { maxBytes = 5_000_000, keep = 3 } = {}): LogFile {
  let handle = openSync(path, "a");
  let size = fstatSync(handle).size;

  function rotate(): void {
    closeSync(handle);
    for (let number = keep - 1; number >= 0; number -= 1) {
      try {
        renameSync(number ? `${path}.${number}` : path, `${path}.${number + 1}`);
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
      }
    }
    handle = openSync(path, "a");
    size = 0;
  }

  return {
    path,
    write(line) {
      const bytes = Buffer.from(`${line}\n`);
      if (size > 0 && size + bytes.length > maxBytes) rotate();
      size += bytes.length;
      writeSync(handle, bytes);
    },
    close: () => closeSync(handle),
  };
}
