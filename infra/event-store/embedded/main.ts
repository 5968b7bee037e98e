import { logVerbosity, setLogVerbosity } from "@grpc/grpc-js";
import { ConfigurationError, readConfig } from "../../config.ts";
import { serveAsChild } from "../../launch/child.ts";
import { createLog } from "../../telemetry/log.ts";
import { AlreadyRunning, PortTaken, startEventStore } from "./server.ts";

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
    warn: (message, error) => log.warn({ err: error }, message),
  });
  serveAsChild(store);
  log.info({ port: store.port, dataDir: config.DATA_DIR }, "serving");
} catch (error) {
  const expected = error instanceof AlreadyRunning || error instanceof PortTaken || error instanceof ConfigurationError;
  console.error(expected ? error.message : error);
  process.exit(error instanceof AlreadyRunning ? alreadyRunningCode : 1);
}
