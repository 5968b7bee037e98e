import { notWritable, type WhyNotWritable } from "../not-writable.ts";

/** Result codes of SQLite (https://www.sqlite.org/rescode.html): errors of a disk that refuses writes. */
const sqlite = { readOnly: 8, ioError: 10, full: 13, cannotOpen: 14 } as const;
/** SQLite could not enlarge its shared-memory file: the disk is full, too. */
const noRoomForSharedMemory = 4874;
const primary = 0xff;
const refusals = new Set(["EROFS", "EACCES", "EPERM", "EIO"]);

/** The disk refused a write. Nothing of it is stored; earlier events are intact. */
export class DiskError extends Error {
  override name = "DiskError";
  readonly why: WhyNotWritable;
  constructor(why: WhyNotWritable, cause: unknown) {
    super(notWritable[why], { cause });
    this.why = why;
  }
}

/** Converts an error of SQLite or the file system about the disk; null for other errors. */
export function diskErrorOf(error: unknown): DiskError | null {
  if (error instanceof DiskError) return error;
  if (!(error instanceof Error)) return null;
  const { errcode, code } = error as { errcode?: unknown; code?: unknown };
  if (typeof errcode === "number") {
    const kind = errcode & primary;
    if (kind === sqlite.full || errcode === noRoomForSharedMemory) return new DiskError("disk_full", error);
    if (kind === sqlite.readOnly || kind === sqlite.ioError || kind === sqlite.cannotOpen) return new DiskError("disk_refuses", error);
  }
  if (code === "ENOSPC" || code === "EDQUOT") return new DiskError("disk_full", error);
  return typeof code === "string" && refusals.has(code) ? new DiskError("disk_refuses", error) : null;
}
