import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { privateFile, privateFolder } from "../../private-files.ts";

/** Raised with every change of the tables; a file from a later version is refused. */
const version = 1;

/**
 * `live` is 0 once an event has been purged: its data and metadata are then zeros of the same length. A purge writes over the
 * row in place and never deletes it, because SQLite moves the neighbours of a deleted row about and leaves copies of them in
 * the slack of their old pages, where a later purge would not find them (seen with `secure_delete` on, too).
 */
const tables = `
CREATE TABLE streams (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  next_revision INTEGER NOT NULL,
  truncate_before INTEGER NOT NULL,
  condition TEXT NOT NULL,
  max_count INTEGER,
  max_age INTEGER
) STRICT;
CREATE TABLE events (
  position INTEGER PRIMARY KEY,
  stream INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  id BLOB NOT NULL,
  type TEXT NOT NULL,
  json INTEGER NOT NULL,
  created INTEGER NOT NULL,
  live INTEGER NOT NULL,
  data BLOB NOT NULL,
  metadata BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX events_by_stream ON events (stream, revision);
CREATE INDEX events_by_id ON events (stream, id);
CREATE INDEX purged_events ON events (position) WHERE live = 0;
CREATE TABLE upkeep (task TEXT PRIMARY KEY) STRICT;
`;

/** How long a transaction waits for another connection to the file. */
export const busyTimeoutMs = 5_000;

export const databaseFile = (folder: string): string => join(folder, "events.db");

/**
 * Opens (or makes) the file of a folder: a commit is on the disk before it returns, and deleted bytes are overwritten.
 * @throws Error when the file was written by a later version.
 */
export function openDatabase(folder: string): DatabaseSync {
  privateFolder(folder);
  // SQLite gives its log and its index the rights of the file.
  for (const end of ["", "-wal", "-shm"]) privateFile(`${databaseFile(folder)}${end}`, { make: end === "" });
  const database = new DatabaseSync(databaseFile(folder), { timeout: busyTimeoutMs });
  try {
    database.exec(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384",
    );
    const found = Number(database.prepare("PRAGMA user_version").get()?.user_version);
    if (found > version)
      throw new Error(`${databaseFile(folder)} was written by a later version of the event store (${found}, known: ${version}).`);
    if (found === 0) database.exec(`BEGIN; ${tables} PRAGMA user_version = ${version}; COMMIT`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
