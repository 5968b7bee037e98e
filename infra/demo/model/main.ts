import { ConfigurationError, readConfig } from "../../config.ts";
import { serveAsChild } from "../../process/serve-as-child.ts";
import { createLog } from "../../telemetry/log.ts";
import { startDemoModel } from "./server.ts";

/** The process of the demonstration model: says on standard output where it serves, ends on SIGTERM and with its launcher. */
try {
  const config = readConfig();
  const log = createLog("demo-model", config);
  const running = await startDemoModel({ port: config.DEMO_MODEL_PORT, wordMs: config.DEMO_MODEL_WORD_MS });
  log.info({ port: running.port }, "demonstration model ready");
  serveAsChild(running);
} catch (error) {
  const taken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
  const message = taken ? "DEMO_MODEL_PORT: the port is taken by another program." : error instanceof Error ? error.message : String(error);
  process.stderr.write(
    `${error instanceof ConfigurationError || taken ? message : `The demonstration model could not start: ${message}`}\n`,
  );
  process.exit(1);
}
