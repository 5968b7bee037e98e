import { createServer } from "node:http";
import { readConfig } from "../../config.ts";
import { closeServer } from "../../http/close.ts";
import { serveAsChild } from "../../launch/child.ts";
import { createLog } from "../../telemetry/log.ts";
import { embeddedIdentity } from "../accounts.ts";
import { embeddedProvider } from "./provider.ts";

const config = readConfig();
if (!embeddedIdentity(config)) {
  console.error("The embedded identity provider is for development only, and only where OIDC_ISSUER is not set. It does not start here.");
  process.exit(1);
}
const log = createLog("identity", config);
const server = createServer(embeddedProvider(config, log));
server.on("error", (error) => {
  log.fatal({ err: error }, "the identity provider cannot listen");
  process.exit(1);
});
server.listen(config.IDENTITY_PORT, "127.0.0.1", () => {
  const address = server.address();
  serveAsChild({
    port: typeof address === "object" && address ? address.port : config.IDENTITY_PORT,
    close: () => closeServer(server, 500),
  });
});
