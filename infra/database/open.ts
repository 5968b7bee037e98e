import { join } from "node:path";
import { Kysely, type LogEvent, SqliteAdapter, sql } from "kysely";
import type { Config } from "../config.ts";
import { countStatement, tracingEnabled } from "../telemetry/traces.ts";
import { postgresDialect } from "./postgres.ts";
import { sqliteDialect } from "./sqlite.ts";

/** PostgreSQL: how long a query may take, in milliseconds: of those that answer people, of a projection's writes, and of what rebuilds and compares tables. */
export const queryTimeoutMs = { reading: 15_000, writing: 120_000, rebuilding: 1_800_000 } as const;
/** How long truncating SQLite's log may wait for others, in milliseconds; the caller retries. */
const forgetWithinMs = 100;

export interface DatabaseOptions {
  /** SQLite: opens the file for reading only. PostgreSQL: no difference, rights are the server's. */
  readOnly?: boolean;
  /** SQLite: how long to wait for another process's write, in milliseconds. */
  waitMs?: number;
  /** PostgreSQL: how long one query may take; by default `queryWithinMs.reading` or `.writing`, as `readOnly` says. */
  queryWithinMs?: number;
  /** Called when an idle PostgreSQL connection breaks; the next query opens another. */
  onIdleError?: (error: Error) => void;
}

/**
 * The read models' database: `DATABASE_URL`, else `DATA_DIR/read-models.db`. Opened at the first query.
 * Columns are text and integer only, JSON is text, positions are padded text (`positions.ts`), so that both engines answer alike.
 */
export function openDatabase<Tables>(config: Pick<Config, "DATABASE_URL" | "DATA_DIR">, options: DatabaseOptions = {}): Kysely<Tables> {
  const url = config.DATABASE_URL;
  const file = sqliteFile(config);
  const log = tracingEnabled() ? { log: ({ queryDurationMillis }: LogEvent) => countStatement(queryDurationMillis) } : {};
  if (url && file === null)
    return new Kysely<Tables>({
      ...log,
      dialect: postgresDialect(url, {
        queryWithinMs: options.queryWithinMs ?? (options.readOnly ? queryTimeoutMs.reading : queryTimeoutMs.writing),
        onIdleError: options.onIdleError ?? (() => undefined),
      }),
    });
  return new Kysely<Tables>({ ...log, dialect: sqliteDialect(file ?? "", options) });
}

/** The file of the read models; null when they are on PostgreSQL. */
export function sqliteFile({ DATABASE_URL: url, DATA_DIR }: Pick<Config, "DATABASE_URL" | "DATA_DIR">): string | null {
  if (!url) return join(DATA_DIR, "read-models.db");
  return url.startsWith("sqlite:") ? url.slice("sqlite://".length) : null;
}

/** Whether the database is a SQLite file rather than a server. */
export function isSqlite(database: Pick<Kysely<unknown>, "getExecutor">): boolean {
  return database.getExecutor().adapter instanceof SqliteAdapter;
}

/**
 * Makes deletions final on disk: SQLite's write-ahead log still holds the pages as they were, so it is written back and emptied.
 * Returns false when a reader kept it busy; call again later. On PostgreSQL the server's own vacuum does this.
 */
export async function eraseDeleted<Tables>(database: Kysely<Tables>): Promise<boolean> {
  if (!isSqlite(database)) return true;
  return database.connection().execute(async (connection) => {
    const { rows: before } = await sql<{ timeout: number }>`PRAGMA busy_timeout`.execute(connection);
    // While it waits for readers nobody can write.
    await sql`PRAGMA busy_timeout = ${sql.lit(forgetWithinMs)}`.execute(connection);
    try {
      const { rows } = await sql<{ busy: number }>`PRAGMA wal_checkpoint(TRUNCATE)`.execute(connection);
      return rows[0]?.busy === 0;
    } finally {
      await sql`PRAGMA busy_timeout = ${sql.lit(before[0]?.timeout ?? 0)}`.execute(connection);
    }
  });
}

export async function hasTable<Tables>(database: Kysely<Tables>, table: string): Promise<boolean> {
  const found = isSqlite(database)
    ? sql`select 1 from sqlite_schema where type = 'table' and name = ${table}`
    : sql`select 1 from pg_class where oid = to_regclass(${`"${table}"`})`;
  return (await found.execute(database)).rows.length > 0;
}
