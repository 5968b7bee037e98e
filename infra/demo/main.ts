import { demoModelEnabled, embeddedIdentity, readConfig } from "../config.ts";
import { startIdentity } from "../identity/embedded/start.ts";
import { refuseToStart } from "../process/refuse-to-start.ts";
import { serveAsChild } from "../process/serve-as-child.ts";
import { startDemoModel } from "./model/server.ts";

/** The demonstration accounts and the demonstration model in one process, which takes 35 MB less than two. */
const config = readConfig();
if (!embeddedIdentity(config) || !demoModelEnabled(config)) refuseToStart("This configuration has no demonstration accounts and model.");
const identity = await startIdentity(config);
const model = await startDemoModel({ port: config.DEMO_MODEL_PORT, wordMs: config.DEMO_MODEL_WORD_MS });
serveAsChild({
  port: identity.port,
  close: async () => void (await Promise.all([identity.close(), model.close()])),
});
