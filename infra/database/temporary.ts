import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where tests look for a PostgreSQL (trust authentication, nothing of value in it). */
const postgres = "postgres://postgres@127.0.0.1:5432/test";

export interface TemporaryDatabase {
  config: { DATABASE_URL: string; DATA_DIR: string };
  /** The folder of the SQLite file; null on PostgreSQL. */
  folder: string | null;
  drop(): Promise<void>;
}

export interface Engine {
  name: "SQLite" | "PostgreSQL";
  /** Why it cannot be had here; null when it can. */
  absent: string | null;
  /** An empty database of its own: a file in a fresh folder, or a schema. */
  create(): Promise<TemporaryDatabase>;
}

let looked: Promise<string | null> | undefined;

/**
 * Both engines. Says so loudly when there is no PostgreSQL, because then half of what is promised is not tried: its tests are to be
 * skipped (`describeOn`), not left out.
 */
export async function enginesToTest(): Promise<[sqlite: Engine, postgresql: Engine]> {
  looked ??= whyNoPostgres();
  return [sqlite, { ...postgresql, absent: await looked }];
}

/** A suite on one engine, pending where it cannot be had. */
export function describeOn(engine: Engine, title: string, body: () => void): void {
  if (engine.absent === null) describe(title, body);
  else describe.skip(title, body);
}

async function whyNoPostgres(): Promise<string | null> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: postgres, connectionTimeoutMillis: 1_500 });
  try {
    await client.connect();
    await client.end();
    return null;
  } catch (error) {
    const why = error instanceof AggregateError ? error.errors.join(", ") : error instanceof Error ? error.message : String(error);
    console.warn(`\n  !! No PostgreSQL at ${postgres} (${why}): what is promised of it DID NOT RUN.\n`);
    return why;
  }
}

const sqlite: Engine = {
  name: "SQLite",
  absent: null,
  async create() {
    const folder = await mkdtemp(join(tmpdir(), "colloquy-db-"));
    return {
      config: { DATABASE_URL: `sqlite://${join(folder, "read-models.db")}`, DATA_DIR: folder },
      folder,
      drop: () => rm(folder, { recursive: true, force: true }),
    };
  },
};

const postgresql: Engine = {
  name: "PostgreSQL",
  absent: null,
  async create() {
    const schema = `test_${randomBytes(8).toString("hex")}`;
    const run = async (statement: string): Promise<void> => {
      const { default: pg } = await import("pg");
      const client = new pg.Client({ connectionString: postgres });
      await client.connect();
      await client.query(statement);
      await client.end();
    };
    await run(`create schema ${schema}`);
    return {
      config: { DATABASE_URL: `${postgres}?options=${encodeURIComponent(`-c search_path=${schema}`)}`, DATA_DIR: tmpdir() },
      folder: null,
      drop: () => run(`drop schema ${schema} cascade`),
    };
  },
};
