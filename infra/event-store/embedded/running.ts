import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isLocked } from "./lock.ts";

/** Where an embedded event store that serves a data folder can be found. */
export interface RunningEventStore {
  pid: number;
  port: number;
  url: string;
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
  writeFileSync(draft, JSON.stringify(note));
  renameSync(draft, noteFile(folder));
}

export const removeNote = (folder: string): void => rmSync(noteFile(folder), { force: true });

function readNote(folder: string): RunningEventStore | null {
  try {
    const note = JSON.parse(readFileSync(noteFile(folder), "utf8")) as Partial<RunningEventStore>;
    const { pid, port, url } = note;
    return typeof pid === "number" && typeof port === "number" && typeof url === "string" ? { pid, port, url } : null;
  } catch {
    return null;
  }
}
