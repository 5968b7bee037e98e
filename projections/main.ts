import { readConfig } from "@colloquy/infra/config.ts";
import { openDatabase } from "@colloquy/infra/database/open.ts";
import { openEventStore } from "@colloquy/infra/event-store/client.ts";
import { eventStoreUrl } from "@colloquy/infra/event-store/embedded/security/address.ts";
import { type KafkaSettings, kafkaSettings } from "@colloquy/infra/kafka/settings.ts";
import { closeServer, openPort } from "@colloquy/infra/process/http-server.ts";
import { refuseToStart } from "@colloquy/infra/process/refuse-to-start.ts";
import { serveAsChild } from "@colloquy/infra/process/serve-as-child.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { measureProcess } from "@colloquy/infra/telemetry/metrics.ts";
import { statusServer } from "@colloquy/infra/telemetry/status-server.ts";
import { startTraces } from "@colloquy/infra/telemetry/traces.ts";
import type { CheckpointTables } from "./checkpoints/tables.ts";
import { measureProjections } from "./metrics.ts";
import { projections } from "./projections.ts";
import { runAll } from "./run-all.ts";

/** Runs every projection; `GET /status` reports the progress of each. */
const config = readConfig();
const log = createLog("projections", config);
measureProcess("projections");
const traces = await startTraces(config, "projections", log);
const database = openDatabase<CheckpointTables>(config, {
  onIdleError: (error) => log.warn({ err: error }, "a database connection failed"),
});
const store = openEventStore(eventStoreUrl(config), { log });
const stopping = new AbortController();
const settings = kafkaSettings(config);
async function consume(kafka: KafkaSettings) {
  const { openKafka } = await import("@colloquy/infra/kafka/client.ts");
  const { consumeFromKafka } = await import("./kafka/consume.ts");
  return consumeFromKafka({ projections, database, store, kafka: openKafka(kafka, log), settings: kafka, log, signal: stopping.signal });
}
const consumption = settings && (await consume(settings));
consumption?.finished.catch((error: Error) => refuseToStart(error.message));
const running = runAll({ projections, database, store, log, signal: stopping.signal, ...(consumption && { start: consumption.start }) });

measureProjections(() => running.status());
const server = statusServer(config, () => ({ projections: running.status() }));
serveAsChild({
  port: await openPort(server, config.PROJECTIONS_PORT, {
    host: config.SERVICE_HOST,
    onError: (error) => log.error({ err: error }, "a connection could not be accepted"),
  }),
  async close() {
    stopping.abort();
    await Promise.all([running.finished, closeServer(server)]);
    await store.close();
    await database.destroy();
    await traces.close();
  },
});
