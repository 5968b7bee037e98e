import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTemporaryCluster } from "./temporary-cluster.fixture.ts";

/** Where tests look for a PostgreSQL that runs (trust authentication, nothing of value in it), before they start one. */
const running = "postgres://postgres@127.0.0.1:5432/test";

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

let looked: Promise<{ url: string } | { absent: string }> | undefined;

/**
 * Both engines. A PostgreSQL that does not run is started for this process alone. Says so loudly when there is none, because then half of what is promised is not tried: its tests are to be
 * skipped (`describeOn`), not left out.
 */
export async function enginesToTest(): Promise<[sqlite: Engine, postgresql: Engine]> {
  looked ??= lookForPostgres();
  const found = await looked;
  return [sqlite, "url" in found ? postgresAt(found.url) : { ...postgresAt(""), absent: found.absent }];
}

/** A suite on one engine, pending where it cannot be had. */
export function describeOn(engine: Engine, title: string, body: () => void): void {
  if (engine.absent === null) describe(title, body);
  else describe.skip(title, body);
}

async function lookForPostgres(): Promise<{ url: string } | { absent: string }> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: running, connectionTimeoutMillis: 1_500 });
  try {
    await client.connect();
    await client.end();
    return { url: running };
  } catch (error) {
    const why = reasonOf(error);
    try {
      return { url: (await startTemporaryCluster()).url };
    } catch (other) {
      console.warn(
        `\n  !! No PostgreSQL at ${running} (${why}), and none can be started (${reasonOf(other)}): what is promised of it DID NOT RUN.\n`,
      );
      return { absent: why };
    }
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof AggregateError ? error.errors.join(", ") : error instanceof Error ? error.message : String(error);

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

const postgresAt = (postgres: string): Engine => ({
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
});
