/** Result codes of SQLite (https://www.sqlite.org/rescode.html): the file's pages are damaged, or it is no database at all. */
const sqlite = { corrupt: 11, notADatabase: 26 } as const;
const primary = 0xff;

/** What to say and do when SQLite finds a read-model file damaged; null for any other error. */
export function damagedFileAdvice(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = "errcode" in cause ? cause.errcode : undefined;
    if (typeof code !== "number") continue;
    const kind = code & primary;
    if (kind === sqlite.corrupt || kind === sqlite.notADatabase)
      return "The read models' file is damaged. Stop the program, delete read-models.db, read-models.db-wal and read-models.db-shm in DATA_DIR, and start it again: they are rebuilt from the events.";
  }
  return null;
}
