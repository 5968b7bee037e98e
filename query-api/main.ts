import { readConfig } from "@colloquy/infra/config.ts";
import { openDatabase } from "@colloquy/infra/database/open.ts";
import { openEventStore } from "@colloquy/infra/event-store/client.ts";
import { eventStoreUrl } from "@colloquy/infra/event-store/embedded/security/address.ts";
import { createApp, listen } from "@colloquy/infra/http/app.ts";
import { endedSessions } from "@colloquy/infra/identity/ended-sessions.ts";
import { openObjectStore } from "@colloquy/infra/object-store/open.ts";
import { closeServer } from "@colloquy/infra/process/http-server.ts";
import { serveAsChild } from "@colloquy/infra/process/serve-as-child.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { measureProcess } from "@colloquy/infra/telemetry/metrics.ts";
import { startTraces } from "@colloquy/infra/telemetry/traces.ts";
import { courseCatalogue } from "@colloquy/projections/courses/queries.ts";
import { openPassageLibrary } from "@colloquy/projections/passages/queries.ts";
import { readYourWritesMs } from "@colloquy/schemas/bounds.ts";
import { revisionCheck } from "./courses/revision-check.ts";
import { type QueryTables, queryRoutes } from "./routes.ts";
import { liveTail } from "./sync/live-tail.ts";

/** How long running requests may continue at a stop: a little longer than a read-your-writes wait. */
const graceMs = readYourWritesMs + 200;

/** Serves all reads: pages, queries, searches, live streams. */
const config = readConfig();
const log = createLog("query-api", config);
measureProcess("query-api");
const traces = await startTraces(config, "query-api", log);
const stopping = new AbortController();
const store = openEventStore(eventStoreUrl(config), { log });
const database = openDatabase<QueryTables>(config, {
  readOnly: true,
  onIdleError: (error) => log.warn({ err: error }, "a database connection failed"),
});
const objectStore = openObjectStore(config);
const catalogue = courseCatalogue(database);
const library = openPassageLibrary({
  objectStore,
  catalogue,
  publicUrl: config.publicUrl,
  onDamaged: (courseId, error) => log.error({ err: error, courseId }, "a course's search index cannot be read"),
});
const tail = liveTail({ store, database, log });

const { signal } = stopping;
const ended = endedSessions({ store, log, signal });
const routers = queryRoutes({ config, log, store, database, objectStore, catalogue, library, tail, ended, signal });
const app = createApp({ config, log, routers });
const { server, port } = await listen(app, config.QUERY_API_PORT, log, revisionCheck(catalogue), config.SERVICE_HOST);

serveAsChild({
  port,
  async close() {
    // Live streams end first, because they would keep their connections open.
    stopping.abort();
    await Promise.all([closeServer(server, graceMs), tail.close()]);
    await store.close();
    await database.destroy();
    await traces.close();
  },
});
