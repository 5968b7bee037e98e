import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import {
  type DatabaseConnection,
  type Dialect,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type SqliteStatement,
} from "kysely";
import { LRUCache } from "lru-cache";
import { makeFolder, privateFile } from "../private-files.ts";

/** Prepared statements kept per connection; queries with lists of varying length would otherwise grow it without end. */
const keptStatements = 300;
/** How long a connection waits for another process's write by default, in milliseconds. */
const busyTimeoutMs = 5_000;
/**
 * How often it tries again meanwhile, in milliseconds. SQLite's own handler sleeps 100 ms between tries, in a call that blocks the event
 * loop: beside two writers that hardly rest it found the file taken 200 times in a row, and a rebuild failed after 20 s.
 */
const busyPauseMs = 2;
/** https://www.sqlite.org/rescode.html#busy; the extended codes have it in their low byte. */
const sqliteBusy = 5;

export interface SqliteOptions {
  readOnly?: boolean;
  waitMs?: number;
}

/**
 * Kysely's SQLite dialect over `node:sqlite`. The file is opened at the first query; a reader's query fails until a writer has made it.
 * One writing connection per process is the rule: a second one would only wait for the first.
 */
export function sqliteDialect(file: string, options: SqliteOptions = {}): Dialect {
  const config: SqliteDialectConfig = { database: async () => adapt(openFile(file, options), options) };
  const dialect = new SqliteDialect(config);
  dialect.createDriver = () => new WaitingDriver(config, options.waitMs ?? busyTimeoutMs);
  return dialect;
}

/** Waits for other processes' writes without blocking this one. A statement that found the file locked had no effect, so it is repeated. */
class WaitingDriver extends SqliteDriver {
  readonly #waitMs: number;
  #waiting: DatabaseConnection | undefined;
  constructor(config: SqliteDialectConfig, waitMs: number) {
    super(config);
    this.#waitMs = waitMs;
  }
  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    this.#waiting ??= {
      streamQuery: connection.streamQuery.bind(connection),
      executeQuery: async (query) => {
        for (const until = performance.now() + this.#waitMs; ; ) {
          try {
            return await connection.executeQuery(query);
          } catch (error) {
            if (!isBusy(error) || performance.now() > until) throw error;
            await pause(busyPauseMs);
          }
        }
      },
    };
    return this.#waiting;
  }
}

function isBusy(error: unknown): boolean {
  const { errcode } = error as { errcode?: unknown };
  return typeof errcode === "number" && (errcode & 0xff) === sqliteBusy;
}

function openFile(file: string, { readOnly = false, waitMs = busyTimeoutMs }: SqliteOptions): DatabaseSync {
  if (!readOnly && file !== ":memory:") {
    makeFolder(dirname(file));
    // SQLite gives its log and its index the rights of the file.
    for (const end of ["", "-wal", "-shm"]) privateFile(`${file}${end}`, { make: end === "" });
  }
  const database = new DatabaseSync(file, { readOnly, timeout: waitMs, enableForeignKeyConstraints: true });
  database.exec("PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384; PRAGMA mmap_size = 0");
  // Read models can be rebuilt, so a power cut may cost the last commits (the checkpoint goes with them) but never the file.
  // secure_delete: a deleted text is overwritten with zeros, not only unlinked.
  if (!readOnly) database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON");
  // From here on the driver waits.
  database.exec("PRAGMA busy_timeout = 0");
  return database;
}

function adapt(database: DatabaseSync, { readOnly = false }: SqliteOptions): SqliteDatabase {
  const statements = new LRUCache<string, SqliteStatement>({ max: keptStatements });
  return {
    close: () => database.close(),
    prepare(text) {
      // A writer takes its lock at once: a transaction that read first and then wrote could not wait for another's write.
      const sql = text === "begin" && !readOnly ? "begin immediate" : text;
      const known = statements.get(sql);
      if (known) return known;
      const statement = prepare(database, sql);
      statements.set(sql, statement);
      return statement;
    },
  };
}

function prepare(database: DatabaseSync, sql: string): SqliteStatement {
  const statement = database.prepare(sql);
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...parameters.map(toSqlite)),
    run: (parameters) => statement.run(...parameters.map(toSqlite)),
    iterate: (parameters) => database.prepare(sql).iterate(...parameters.map(toSqlite)),
  };
}

function toSqlite(value: unknown): SQLInputValue {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value === undefined) return null;
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "bigint" || value instanceof Uint8Array)
    return value;
  throw new TypeError(`A ${typeof value} cannot be stored in a column: write JSON as text`);
}
