import { printLine } from "./console.ts";
import type { Launched } from "./launch.ts";
import { onNpmExit } from "./npm.ts";

/** npm repeats the Ctrl-C that the terminal sent to all processes: two signals this close together count as one. */
const oneKeyPressMs = 600;

/** Ctrl-C, a closed terminal, SIGTERM and the end of npm stop the program in order and end this process; a second signal ends it at once. */
export function stopOnSignals(launched: () => Launched | null): void {
  let asked = 0;
  async function stop(): Promise<void> {
    if (asked) {
      if (Date.now() - asked < oneKeyPressMs) return;
      launched()?.kill();
      process.exit(130);
    }
    asked = Date.now();
    printLine();
    printLine("Stopping. Press Ctrl-C again to end at once.");
    await launched()?.stop();
    printLine("Stopped.");
    process.exit(0);
  }
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop());
  onNpmExit(() => void stop());
}
