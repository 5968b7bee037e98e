import { embeddedIdentity, readConfig } from "../../config.ts";
import { serveAsChild } from "../../process/serve-as-child.ts";
import { startIdentity } from "./start.ts";

const config = readConfig();
if (!embeddedIdentity(config)) {
  console.error("The embedded identity provider is for development only, and only where OIDC_ISSUER is not set. It does not start here.");
  process.exit(1);
}
serveAsChild(await startIdentity(config));
