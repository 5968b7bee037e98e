import { logVerbosity, setLogVerbosity } from "@grpc/grpc-js";
import { ConfigurationError, readConfig } from "../../config.ts";
import { closeServer, openPort } from "../../process/http-server.ts";
import { serveAsChild } from "../../process/serve-as-child.ts";
import { createLog } from "../../telemetry/log.ts";
import { measureProcess } from "../../telemetry/metrics.ts";
import { statusServer } from "../../telemetry/status-server.ts";
import { notWritable } from "../not-writable.ts";
import { AlreadyRunning, type EmbeddedEventStore, FolderUnusable, PortTaken, startEventStore } from "./server.ts";

/** The embedded event store as a process of its own. Ends with 3 when the folder already has a writer, with 1 on any other trouble. */
const alreadyRunningCode = 3;

// What it would print beside the errors it throws is no line of our log.
setLogVerbosity(logVerbosity.NONE);
try {
  const config = readConfig();
  const log = createLog("event-store", config);
  let store: EmbeddedEventStore | undefined;
  measureProcess("event-store");
  const status = statusServer(config, () => ({ eventStore: { notWritable: store?.notWritable() ?? null } }));
  const statusPort = await openPort(status, 0, { onError: (error) => log.error({ err: error }, "a connection could not be accepted") });
  const insecure = config.EVENTSTORE_EMBEDDED_INSECURE === "on";
  if (insecure)
    log.warn("The event store is open: every program on this machine can read and append. Unset EVENTSTORE_EMBEDDED_INSECURE to close it.");
  store = await startEventStore({
    dataDir: config.DATA_DIR,
    port: config.EVENTSTORE_PORT,
    insecure,
    // Only a launcher serves people; a store started by hand belongs to nobody's address.
    ...(process.send && { publicUrl: config.publicUrl }),
    statusPort,
    warn: (message, error) => log.warn({ err: error }, message),
    onDisk: (why) =>
      why ? log.error({ why }, notWritable[why]) : log.warn("The disk of the event store takes what is written again; appends work."),
  });
  const served = store;
  serveAsChild({ port: served.port, close: async () => void (await Promise.all([served.close(), closeServer(status)])) });
  log.info({ port: served.port, dataDir: config.DATA_DIR }, "serving");
} catch (error) {
  const expected = [AlreadyRunning, FolderUnusable, PortTaken, ConfigurationError].some((kind) => error instanceof kind);
  console.error(expected && error instanceof Error ? error.message : error);
  process.exit(error instanceof AlreadyRunning ? alreadyRunningCode : 1);
}
