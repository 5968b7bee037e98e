import { readConfig } from "@colloquy/infra/config.ts";
import { openDatabase } from "@colloquy/infra/database/open.ts";
import { openEventStore } from "@colloquy/infra/event-store/client.ts";
import { createApp, listen } from "@colloquy/infra/http/app.ts";
import { closeServer } from "@colloquy/infra/http/close.ts";
import { session } from "@colloquy/infra/identity/session.ts";
import { serveAsChild } from "@colloquy/infra/launch/child.ts";
import { openObjectStore } from "@colloquy/infra/object-store/open.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import type { CheckpointTables } from "@colloquy/projections/checkpoints/queries.ts";
import type { ConversationTables } from "@colloquy/projections/conversations/queries.ts";
import { type CourseTables, courseCatalogue } from "@colloquy/projections/courses/queries.ts";
import { openPassageLibrary } from "@colloquy/projections/passages/queries.ts";
import type { SyncTables } from "@colloquy/projections/sync/queries.ts";
import { Router } from "express";
import { conversationsRoutes } from "./conversations.ts";
import { readingRoutes } from "./courses/routes.ts";
import { liveTail } from "./live-tail.ts";
import { meRoutes } from "./me.ts";
import { whenReadable } from "./read-your-writes.ts";
import { readyRoutes } from "./ready.ts";
import { syncRoutes } from "./sync.ts";

/** Everything that is read: pages, records, searches, live streams. */
const config = readConfig();
const log = createLog("query-api", config);
const stopping = new AbortController();
const store = openEventStore(config.eventStoreUrl);
const database = openDatabase<CheckpointTables & ConversationTables & CourseTables & SyncTables>(config, {
  readOnly: true,
  onIdleError: (error) => log.warn({ err: error }, "a database connection broke"),
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

const app = createApp({
  config,
  log,
  routers: [
    readyRoutes({ store, database }),
    Router().use(session(config)),
    meRoutes(),
    // The shells and the files of the build need no read model.
    Router().use(/^\/(?:api\/.*|courses(?:\/.*)?)?$/, whenReadable(database, ["conversations", "courses", "sync"])),
    conversationsRoutes({ database }),
    syncRoutes({ database, tail, log, signal: stopping.signal }),
    ...readingRoutes({ config, log, catalogue, library, objectStore }),
  ],
});
const { server, port } = await listen(app, config.QUERY_API_PORT);

serveAsChild({
  port,
  async close() {
    // Live streams end first: they would keep their connections for ever.
    stopping.abort();
    await Promise.all([closeServer(server), tail.close()]);
    await store.close();
    await database.destroy();
  },
});
