import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { diskErrorOf } from "./disk-error.ts";
import { isLocked } from "./lock.ts";

/** Where an embedded event store that serves a data folder can be found. */
export interface RunningEventStore {
  pid: number;
  port: number;
  /** Whether it speaks TLS and asks who is there. */
  tls: boolean;
  /** For people: without a password. */
  url: string;
  /** Where people reach the program this store belongs to; absent when it runs on its own. */
  publicUrl?: string;
  /** Port of this machine where it says how it is; absent when it runs inside another process. */
  statusPort?: number;
}

export const eventStoreFolder = (dataDir: string): string => join(dataDir, "event-store");
const noteFile = (folder: string): string => join(folder, "running.json");

/** The event store that serves this data folder right now, or null. What a killed one left behind counts as nothing. */
export function runningEventStore(dataDir: string): RunningEventStore | null {
  const folder = eventStoreFolder(dataDir);
  return isLocked(folder) ? readNote(folder) : null;
}

/** Written once it serves. */
export function writeNote(folder: string, note: RunningEventStore): void {
  const draft = `${noteFile(folder)}.${note.pid}`;
  writeFileSync(draft, JSON.stringify(note), { mode: 0o600 });
  renameSync(draft, noteFile(folder));
}

/** A disk that does not let go of it must not keep the store from closing: without the lock the note counts as nothing. */
export function removeNote(folder: string): void {
  try {
    rmSync(noteFile(folder), { force: true });
  } catch (error) {
    if (!diskErrorOf(error)) throw error;
  }
}

function readNote(folder: string): RunningEventStore | null {
  try {
    const note = JSON.parse(readFileSync(noteFile(folder), "utf8")) as Partial<RunningEventStore>;
    const { pid, port, url, tls = false, publicUrl, statusPort } = note;
    if (typeof pid !== "number" || typeof port !== "number" || typeof url !== "string") return null;
    return {
      pid,
      port,
      tls,
      url,
      ...(typeof publicUrl === "string" && { publicUrl }),
      ...(typeof statusPort === "number" && { statusPort }),
    };
  } catch {
    return null;
  }
}
