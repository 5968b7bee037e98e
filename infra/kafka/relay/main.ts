import { setTimeout as pause } from "node:timers/promises";
import { readConfig } from "../../config.ts";
import { openEventStore } from "../../event-store/client.ts";
import { eventStoreUrl } from "../../event-store/embedded/security/address.ts";
import { closeServer, openPort } from "../../process/http-server.ts";
import { refuseToStart } from "../../process/refuse-to-start.ts";
import { serveAsChild } from "../../process/serve-as-child.ts";
import { createLog } from "../../telemetry/log.ts";
import { measureProcess } from "../../telemetry/metrics.ts";
import { statusServer } from "../../telemetry/status-server.ts";
import { startTraces } from "../../telemetry/traces.ts";
import { openKafka } from "../client.ts";
import { kafkaSettings } from "../settings.ts";
import { measureRelay } from "./metrics.ts";
import { runRelay } from "./relay.ts";

/** How long a stop waits for brokers; the next relay continues from the last mark. */
const stopWithinMs = 1_500;

/** The relay process; `GET /status` and `GET /metrics` report its progress. */
const config = readConfig();
const log = createLog("relay", config);
const settings = kafkaSettings(config) ?? refuseToStart("The relay needs KAFKA_BROKERS. See docs/run/kafka.md.");
measureProcess("relay");
const traces = await startTraces(config, "relay", log);
const store = openEventStore(eventStoreUrl(config), { log });
const stopping = new AbortController();
const relay = runRelay({ store, kafka: openKafka(settings, log), settings, log, signal: stopping.signal });
relay.finished.catch((error: Error) => refuseToStart(error.message));

measureRelay(relay.status);
const server = statusServer(config, () => ({ relay: relay.status() }));
serveAsChild({
  port: await openPort(server, config.RELAY_PORT, {
    host: config.SERVICE_HOST,
    onError: (error) => log.error({ err: error }, "a connection could not be accepted"),
  }),
  async close() {
    stopping.abort();
    await Promise.all([Promise.race([relay.finished, pause(stopWithinMs, undefined, { ref: false })]), closeServer(server)]);
    await store.close();
    await traces.close();
  },
});
