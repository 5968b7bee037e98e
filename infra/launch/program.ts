import { type Config, ConfigurationError, readConfig } from "../config.ts";
import { readCatalog } from "../provider-catalog.ts";
import { measureProcess } from "../telemetry/metrics.ts";
import { printLine, styled } from "./console.ts";
import { type Launched, launch, StartError } from "./launch.ts";
import { stopOnSignals } from "./stopping.ts";

function configuration(): Config {
  try {
    const config = readConfig();
    // Read by the command API later; wrong here, it would only be met there.
    if (config.PROVIDER_CATALOG) readCatalog(config.PROVIDER_CATALOG);
    return config;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

/** `npm start`: reads the configuration, starts everything, and stops it when asked. A start that cannot be says why and ends with 1, or 78 for a data folder that cannot be. */
export async function program(): Promise<void> {
  const config = configuration();
  // The front door is in this process.
  measureProcess("front-door");
  let launched: Launched | null = null;
  stopOnSignals(() => launched);
  // Whoever read this console may be gone before we are.
  process.stdout.on("error", () => {});

  printLine(styled("dim", "Colloquy is starting."));
  try {
    await launch(config, (started) => {
      launched = started;
    });
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    console.error(`\n${error.message.replace(/^/gm, "  ")}\n`);
    process.exit(error.exitCode);
  }
}
