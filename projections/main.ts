import { createServer } from "node:http";
import { readConfig } from "@colloquy/infra/config.ts";
import { openDatabase } from "@colloquy/infra/database/open.ts";
import { openEventStore } from "@colloquy/infra/event-store/client.ts";
import { closeServer } from "@colloquy/infra/http/close.ts";
import { serveAsChild } from "@colloquy/infra/launch/child.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import type { CheckpointTables } from "./checkpoints/tables.ts";
import { projections } from "./projections.ts";
import { runAll } from "./run-all.ts";

/** Runs every projection of the house and tells at `GET /status` how far each has come. */
const config = readConfig();
const log = createLog("projections", config);
const database = openDatabase<CheckpointTables>(config, {
  onIdleError: (error) => log.warn({ err: error }, "a database connection broke"),
});
const store = openEventStore(config.eventStoreUrl);
const stopping = new AbortController();
const running = runAll({ projections, database, store, log, signal: stopping.signal });

const server = createServer((request, response) => {
  const known = request.method === "GET" && request.url === "/status";
  response.writeHead(known ? 200 : 404, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(known ? { schemaVersion: 1, projections: running.status() } : { schemaVersion: 1 }));
});
server.listen(config.PROJECTIONS_PORT, "127.0.0.1", () => {
  const address = server.address();
  serveAsChild({
    port: typeof address === "object" && address ? address.port : config.PROJECTIONS_PORT,
    async close() {
      stopping.abort();
      await Promise.all([running.finished, closeServer(server)]);
      await store.close();
      await database.destroy();
    },
  });
});
