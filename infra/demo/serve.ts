import { type Config, demoModelEnabled, embeddedIdentity } from "../config.ts";
import { startIdentity } from "../identity/embedded/start.ts";
import { startDemoModel } from "./model/server.ts";

/** Serves the demonstration parts of these names that the configuration has, within this process. Processes of their own would take 35 MB more. */
export async function serveDemonstration(config: Config, names: readonly string[]): Promise<{ close(): Promise<void> }> {
  const identity = names.includes("identity") && embeddedIdentity(config) ? await startIdentity(config) : null;
  const model =
    names.includes("demo-model") && demoModelEnabled(config)
      ? await startDemoModel({ port: config.DEMO_MODEL_PORT, wordMs: config.DEMO_MODEL_WORD_MS })
      : null;
  return { close: async () => void (await Promise.all([identity?.close(), model?.close()])) };
}
