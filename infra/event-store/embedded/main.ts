import { logVerbosity, setLogVerbosity } from "@grpc/grpc-js";
import { ConfigurationError, readConfig } from "../../config.ts";
import { serveAsChild } from "../../launch/child.ts";
import { createLog } from "../../telemetry/log.ts";
import { AlreadyRunning, FolderUnusable, PortTaken, startEventStore } from "./server.ts";

/** The embedded event store as a process of its own. Ends with 3 when the folder already has a writer, with 1 on any other trouble. */
const alreadyRunningCode = 3;

// What it would print beside the errors it throws is no line of our log.
setLogVerbosity(logVerbosity.NONE);
try {
  const config = readConfig();
  const log = createLog("event-store", config);
  const store = await startEventStore({
    dataDir: config.DATA_DIR,
    port: config.EVENTSTORE_PORT,
    tls: config.EVENTSTORE_EMBEDDED_TLS === "on",
    // Only a launcher serves people; a store started by hand belongs to nobody's address.
    ...(process.send && { publicUrl: config.publicUrl }),
    warn: (message, error) => log.warn({ err: error }, message),
  });
  serveAsChild(store);
  log.info({ port: store.port, dataDir: config.DATA_DIR }, "serving");
} catch (error) {
  const expected = [AlreadyRunning, FolderUnusable, PortTaken, ConfigurationError].some((kind) => error instanceof kind);
  console.error(expected && error instanceof Error ? error.message : error);
  process.exit(error instanceof AlreadyRunning ? alreadyRunningCode : 1);
}
