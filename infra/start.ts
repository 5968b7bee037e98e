import { type Config, ConfigurationError, readConfig } from "./config.ts";
import { CannotStart, type Launched, launch } from "./launch/launch.ts";
import { say, styled } from "./launch/words.ts";

/** npm passes on the Ctrl-C that the terminal has already sent to everybody: two so close together are one. */
const oneKeyPressMs = 600;

let launched: Launched | null = null;
let asked = 0;

async function stopWhenAsked(): Promise<void> {
  if (asked) {
    if (Date.now() - asked < oneKeyPressMs) return;
    launched?.kill();
    process.exit(130);
  }
  asked = Date.now();
  say();
  say("Stopping. Once more ends it at once.");
  await launched?.stop();
  say("Stopped.");
  process.exit(0);
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stopWhenAsked());
// Whoever read this console may be gone before we are.
process.stdout.on("error", () => {});

function configuration(): Config {
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

say(styled("dim", "Colloquy is starting."));
try {
  await launch(configuration(), (started) => {
    launched = started;
  });
} catch (error) {
  if (!(error instanceof CannotStart)) throw error;
  console.error(`\n${error.message.replace(/^/gm, "  ")}\n`);
  process.exit(1);
}
