import { join } from "node:path";
import { Kysely, SqliteAdapter, sql } from "kysely";
import type { Config } from "../config.ts";
import { postgresDialect } from "./postgres.ts";
import { sqliteDialect } from "./sqlite.ts";

export interface DatabaseOptions {
  /** SQLite: opens the file for reading only. PostgreSQL: no difference, rights are the server's. */
  readOnly?: boolean;
  /** Told when an idle PostgreSQL connection breaks; the next query opens another. */
  onIdleError?: (error: Error) => void;
}

/**
 * The read models' database: `DATABASE_URL`, else `DATA_DIR/read-models.db`. Opened at the first query.
 * Columns are text and integer only, JSON is text, positions are padded text (`positions.ts`), so that both engines answer alike.
 */
export function openDatabase<Tables>(config: Pick<Config, "DATABASE_URL" | "DATA_DIR">, options: DatabaseOptions = {}): Kysely<Tables> {
  const url = config.DATABASE_URL;
  if (url && !url.startsWith("sqlite:"))
    return new Kysely<Tables>({ dialect: postgresDialect(url, options.onIdleError ?? (() => undefined)) });
  const file = url ? url.slice("sqlite://".length) : join(config.DATA_DIR, "read-models.db");
  return new Kysely<Tables>({ dialect: sqliteDialect(file, options) });
}

/** Whether the database is a SQLite file rather than a server. */
export function isSqlite(database: Pick<Kysely<unknown>, "getExecutor">): boolean {
  return database.getExecutor().adapter instanceof SqliteAdapter;
}

/**
 * Makes deletions final on disk: SQLite's write-ahead log still holds the pages as they were, so it is written back and emptied.
 * Returns false when a reader kept it busy; call again later. On PostgreSQL the server's own vacuum does this.
 */
export async function forgetDeleted<Tables>(database: Kysely<Tables>): Promise<boolean> {
  if (!isSqlite(database)) return true;
  const { rows } = await sql<{ busy: number }>`PRAGMA wal_checkpoint(TRUNCATE)`.execute(database);
  return rows[0]?.busy === 0;
}
