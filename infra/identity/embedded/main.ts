import { createServer } from "node:http";
import { embeddedIdentity, readConfig } from "../../config.ts";
import { closeServer, openPort } from "../../process/http-server.ts";
import { serveAsChild } from "../../process/serve-as-child.ts";
import { createLog } from "../../telemetry/log.ts";
import { embeddedProvider } from "./provider.ts";

const config = readConfig();
if (!embeddedIdentity(config)) {
  console.error("The embedded identity provider is for development only, and only where OIDC_ISSUER is not set. It does not start here.");
  process.exit(1);
}
const log = createLog("identity", config);
const server = createServer(embeddedProvider(config, log));
serveAsChild({
  port: await openPort(server, config.IDENTITY_PORT, {
    onError: (error) => log.error({ err: error }, "a connection could not be accepted"),
  }),
  close: () => closeServer(server, 500),
});
