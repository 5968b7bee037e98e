import { readConfig } from "@colloquy/infra/config.ts";
import { openDatabase } from "@colloquy/infra/database/open.ts";
import { openEventStore } from "@colloquy/infra/event-store/client.ts";
import { createApp, listen } from "@colloquy/infra/http/app.ts";
import { closeServer } from "@colloquy/infra/http/close.ts";
import { session } from "@colloquy/infra/identity/session.ts";
import { serveAsChild } from "@colloquy/infra/launch/child.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import type { CheckpointTables } from "@colloquy/projections/checkpoints/queries.ts";
import type { ConversationTables } from "@colloquy/projections/conversations/queries.ts";
import type { SyncTables } from "@colloquy/projections/sync/queries.ts";
import { Router } from "express";
import { conversationsRoutes } from "./conversations.ts";
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
const database = openDatabase<CheckpointTables & ConversationTables & SyncTables>(config, {
  readOnly: true,
  onIdleError: (error) => log.warn({ err: error }, "a database connection broke"),
});
const tail = liveTail({ store, database, log });

const app = createApp({
  config,
  log,
  routers: [
    readyRoutes({ store, database }),
    Router().use(session(config)),
    meRoutes(),
    Router().use(whenReadable(database, ["conversations", "sync"])),
    conversationsRoutes({ database }),
    syncRoutes({ database, tail, log, signal: stopping.signal }),
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
