import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openEventStore } from "../client.ts";
import { diskErrorOf } from "./disk-error.ts";
import { eventStoreFolder, runningEventStore } from "./running.ts";
import { databaseFile } from "./schema.ts";
import { startEventStore } from "./server.ts";

/** A backup that failed; the message says why and what to do. Nothing is left at the target. */
export class BackupError extends Error {
  override name = "BackupError";
}

export interface Backup {
  file: string;
  bytes: number;
  events: number;
  /** Position of the last event in it, 0 when there is none. */
  position: number;
  /** Whether the event store was serving meanwhile. */
  running: boolean;
}

/**
 * Copies a snapshot of the events into a new file while the event store may be running, by SQLite's `VACUUM INTO`, which copies no pages
 * of purged text. The file appears only after it was checked and an event store was started on it.
 * @throws {BackupError}
 */
export async function backUp(dataDir: string, target: string): Promise<Backup> {
  const source = databaseFile(eventStoreFolder(dataDir));
  const file = resolve(target);
  if (!existsSync(source))
    throw new BackupError(`There is no event store in ${resolve(dataDir)}. Set DATA_DIR to the program's data folder.`);
  if (existsSync(file)) throw new BackupError(`${file} exists already. Name a new file; a backup never overwrites one.`);
  const folder = dirname(file);
  const isNew = !existsSync(folder);
  if (isNew && !existsSync(dirname(folder)))
    throw new BackupError(
      `Neither ${folder} nor its parent folder exists. Create the parent folder; only the last folder of a path is created.`,
    );
  if (!isNew && !statSync(folder).isDirectory()) throw new BackupError(`${folder} is not a folder. Name a file in a folder.`);
  const running = runningEventStore(dataDir) !== null;
  let made = false;
  try {
    if (isNew) mkdirSync(folder, { mode: 0o700 });
    // On the target's disk, so that it can be linked into place, and laid out as a data folder, so that a store can start on it.
    const draft = mkdtempSync(join(folder, ".event-store-backup-"));
    try {
      const copy = databaseFile(eventStoreFolder(draft));
      const { last, ...counted } = copyInto(source, copy);
      await verifyRestorable(draft, last);
      fsyncFile(copy);
      linkSync(copy, file);
      made = true;
      return { file, bytes: statSync(file).size, ...counted, running };
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  } catch (error) {
    throw toBackupError(error, file, source);
  } finally {
    // Unless another process put something there meanwhile.
    if (isNew && !made && existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
  }
}

/** Makes the copy and counts in it; `last` is the position of the last event that a reader of `$all` gets from us. */
function copyInto(source: string, copy: string): { events: number; position: number; last: number } {
  mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
  // For the owner alone from its first byte on; SQLite fills an empty file as it is.
  closeSync(openSync(copy, "wx", 0o600));
  const reader = new DatabaseSync(source, { readOnly: true, timeout: 5_000 });
  try {
    reader.prepare("VACUUM INTO ?").run(copy);
  } finally {
    reader.close();
  }
  const made = new DatabaseSync(copy, { readOnly: true });
  try {
    const [verdict] = made.prepare("PRAGMA integrity_check(1)").all();
    if (verdict?.integrity_check !== "ok") throw new BackupError(`The copy is damaged: ${verdict?.integrity_check}. Try again.`);
    const counted = made
      .prepare(
        `SELECT total(live) AS events, ifnull(max(position), 0) AS position,
         ifnull(max(position) FILTER (WHERE live = 1 AND type NOT LIKE '$%'), 0) AS last FROM events`,
      )
      .get();
    return { events: Number(counted?.events), position: Number(counted?.position), last: Number(counted?.last) };
  } finally {
    made.close();
  }
}

/** Verifies that the copy can be restored: an event store starts on it and serves its last event. */
async function verifyRestorable(dataDir: string, last: number): Promise<void> {
  const server = await startEventStore({ dataDir, port: 0 });
  const store = openEventStore(server.url);
  try {
    let found = 0;
    for await (const { position } of store.readAll({ direction: "backwards", limit: 1 })) found = Number(position);
    if (found !== last) throw new BackupError(`The copy ends at event ${found} instead of ${last}. Try again.`);
  } finally {
    await store.close();
    await server.close();
  }
}

function fsyncFile(file: string): void {
  const handle = openSync(file, "r+");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function toBackupError(error: unknown, file: string, source: string): unknown {
  if (error instanceof BackupError) return error;
  if (error instanceof Error && "code" in error && error.code === "EEXIST")
    return new BackupError(`${file} exists already: another process created it meanwhile. Name another file.`);
  const trouble = diskErrorOf(error);
  if (!trouble) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === undefined || syscall === undefined) return error;
    return new BackupError(`${dirname(file)} cannot be written to (${syscall}: ${code}). Name a file in a folder that you may write to.`, {
      cause: error,
    });
  }
  const folder = dirname(file);
  const { bavail, bsize } = statfsSync(existsSync(folder) ? folder : dirname(folder));
  return trouble.why === "disk_full"
    ? new BackupError(
        `There is no room for the copy in ${dirname(file)}: ${megabytes(bavail * bsize)} are free, and the events take up to ${megabytes(statSync(source).size)}.`,
        { cause: error },
      )
    : new BackupError(
        `${file} cannot be written (${trouble.cause instanceof Error ? trouble.cause.message : trouble.why}). Name a file in a folder that you may write to, on a disk that is not read-only.`,
        { cause: error },
      );
}

/** A size for people. */
export const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
