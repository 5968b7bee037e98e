import { type Dialect, PostgresDialect } from "kysely";

/** Connections one process holds at most. */
const connections = 10;
/** How long a query waits for a free or new connection, in milliseconds. */
const connectTimeoutMs = 5_000;

/** Kysely's PostgreSQL dialect; the driver is loaded at the first query, because most installations never need it. */
export function postgresDialect(url: string, onIdleError: (error: Error) => void): Dialect {
  return new PostgresDialect({
    pool: async () => {
      const { default: pg } = await import("pg");
      const pool = new pg.Pool({ connectionString: url, max: connections, connectionTimeoutMillis: connectTimeoutMs });
      // An idle connection that the server closes must not end the process; the pool opens another.
      pool.on("error", onIdleError);
      return pool;
    },
  });
}
