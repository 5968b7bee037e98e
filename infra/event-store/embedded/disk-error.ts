import { notWritable, type WhyNotWritable } from "../not-writable.ts";

/** Result codes of SQLite (https://www.sqlite.org/rescode.html): what it says of a disk that takes nothing more. */
const sqlite = { readOnly: 8, ioError: 10, full: 13, cannotOpen: 14 } as const;
/** It could not make its shared memory larger, which is a file beside the others: no room either. */
const noRoomForSharedMemory = 4874;
const primary = 0xff;
const refusals = new Set(["EROFS", "EACCES", "EPERM", "EIO"]);

/** A write the disk did not take. Nothing of it is stored, and what was stored before is untouched. */
export class DiskError extends Error {
  override name = "DiskTrouble";
  readonly why: WhyNotWritable;
  constructor(why: WhyNotWritable, cause: unknown) {
    super(notWritable[why], { cause });
    this.why = why;
  }
}

/** What SQLite or the file system says of the disk, in our words; null for an error that is not about it. */
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
