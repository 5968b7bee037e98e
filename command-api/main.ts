import { readConfig } from "@colloquy/infra/config.ts";
import { openEventStore } from "@colloquy/infra/event-store/client.ts";
import { createApp, listen } from "@colloquy/infra/http/app.ts";
import { closeServer } from "@colloquy/infra/http/close.ts";
import { authRoutes } from "@colloquy/infra/identity/routes.ts";
import { session } from "@colloquy/infra/identity/session.ts";
import { serveAsChild } from "@colloquy/infra/launch/child.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { Router } from "express";
import { modelsRoutes } from "./ask/routes.ts";
import { conversationHandlers } from "./conversations/handlers.ts";
import { syncPushRoutes } from "./conversations/routes.ts";
import { sweepDeletedConversations } from "./conversations/truncation-sweep.ts";
import { createModelGateway } from "./model-gateway/gateway.ts";

/** Everything that changes something: commands in, events out. */
const config = readConfig();
const log = createLog("command-api", config);
const stopping = new AbortController();
const store = openEventStore(config.eventStoreUrl);
const gateway = createModelGateway({ config, log });

const app = createApp({
  config,
  log,
  routers: [
    Router().use(session(config)),
    authRoutes({ config, log }),
    modelsRoutes({ gateway }),
    syncPushRoutes({ handlers: conversationHandlers({ store }) }),
  ],
});
const { server, port } = await listen(app, config.COMMAND_API_PORT);
const sweeping = sweepDeletedConversations({ store, log, signal: stopping.signal });

serveAsChild({
  port,
  async close() {
    stopping.abort();
    await closeServer(server);
    await sweeping;
    await store.close();
  },
});
