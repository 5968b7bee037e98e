import { type Config, ConfigurationError, readConfig } from "../config.ts";
import { releaseMemoryWhenQuiet } from "../process/release-memory.ts";
import { readCatalog } from "../provider-catalog.ts";
import { measureProcess } from "../telemetry/metrics.ts";
import { printLine, styled } from "./console.ts";
import { type Launched, launch, StartError } from "./launch.ts";
import { stopOnSignals } from "./stopping.ts";

function configuration(): Config {
  try {
    const config = readConfig();
    // The command API reads it later; an error in it should fail the start.
    if (config.PROVIDER_CATALOG) readCatalog(config.PROVIDER_CATALOG);
    return config;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

/** `npm start`: reads the configuration, starts everything and stops it on a signal. A failed start prints why and exits with 1, or 78 for an unusable data folder. */
export async function program(): Promise<void> {
  const config = configuration();
  // The front door is in this process.
  measureProcess("front-door");
  releaseMemoryWhenQuiet();
  let launched: Launched | null = null;
  stopOnSignals(() => launched);
  // The terminal may close before the program ends.
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
