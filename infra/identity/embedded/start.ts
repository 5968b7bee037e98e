import { createServer } from "node:http";
import type { Config } from "../../config.ts";
import { closeServer, openPort } from "../../process/http-server.ts";
import { createLog } from "../../telemetry/log.ts";
import { embeddedProvider } from "./provider.ts";

/** Serves the embedded identity provider at its port. */
export async function startIdentity(config: Config): Promise<{ port: number; close(): Promise<void> }> {
  const log = createLog("identity", config);
  const server = createServer(embeddedProvider(config, log));
  const port = await openPort(server, config.IDENTITY_PORT, {
    onError: (error) => log.error({ err: error }, "a connection could not be accepted"),
  });
  return { port, close: () => closeServer(server, 500) };
}
