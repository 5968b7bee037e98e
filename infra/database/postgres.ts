import { type Dialect, PostgresDialect, type PostgresPool, type PostgresPoolClient } from "kysely";
import type { Pool, PoolClient } from "pg";

/** Connections one process holds at most. */
const connections = 10;
/** How long a query waits for a free or new connection, in milliseconds. */
const connectTimeoutMs = 5_000;
/** How long a connection is silent before the system asks whether its other end lives, in milliseconds. */
const keepAliveMs = 10_000;

export interface PostgresOptions {
  /** How long one query may take, in milliseconds. Then it fails and its connection is given up. */
  queryWithinMs: number;
  onIdleError: (error: Error) => void;
}

/** Kysely's PostgreSQL dialect; the driver is loaded at the first query, because most installations never need it. */
export function postgresDialect(url: string, { queryWithinMs, onIdleError }: PostgresOptions): Dialect {
  return new PostgresDialect({
    pool: async () => {
      const { default: pg } = await import("pg");
      const pool = new pg.Pool({
        connectionString: url,
        max: connections,
        connectionTimeoutMillis: connectTimeoutMs,
        keepAlive: true,
        keepAliveInitialDelayMillis: keepAliveMs,
        // Ours, not the server's `statement_timeout`: a server that has vanished ends nothing, and a pooler between may refuse the setting.
        query_timeout: queryWithinMs,
      });
      // An idle connection that the server closes must not end the process; the pool opens another.
      pool.on("error", onIdleError);
      // Nor one that breaks while it is used: its query fails, and whoever asked hears of it there.
      pool.on("connect", (client) => void client.on("error", () => {}));
      return closeUnanswered(pool, (error) => error instanceof pg.DatabaseError);
    },
  });
}

/** The pool, except that a connection whose query got no answer is closed: the next query on it would wait for the first. */
function closeUnanswered(pool: Pool, isAnswer: (error: unknown) => boolean): PostgresPool {
  const watched = (client: PoolClient): PostgresPoolClient => {
    let broken: Error | undefined;
    const query = async (text: string, parameters: readonly unknown[]) => {
      if (broken) throw broken;
      try {
        return await client.query(text, [...parameters]);
      } catch (error) {
        if (!isAnswer(error)) broken = error instanceof Error ? error : new Error(String(error));
        throw error;
      }
    };
    return {
      // Kysely's other way to call it, with a cursor, is used nowhere here.
      query: query as unknown as PostgresPoolClient["query"],
      release: (destroy) => client.release(broken ?? destroy),
    };
  };
  return { options: pool.options, connect: async () => watched(await pool.connect()), end: () => pool.end() };
}
