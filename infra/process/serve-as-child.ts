/** How one of our processes lives under the launcher: it says when it serves, stops when told, and never outlives its parent. */

interface Serving {
  /** The port it answers on; told to the launcher in the ready line. */
  port: number;
  /** Lets go of everything it holds: stops accepting, finishes what runs, closes files. */
  close: () => Promise<void> | void;
  /** A stop that takes longer is cut off. */
  withinMs?: number;
}

/** The launcher waits 3 s for a child before it kills it. */
const stopWithinMs = 2_700;

let serving: Serving | null = null;
let stopping = false;

/** Closes what is served and ends the process: 0 when that worked, 1 when it failed or took too long. */
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  setTimeout(() => {
    console.error("Stopping took too long; what was still open has been cut off.");
    process.exit(1);
  }, serving?.withinMs ?? stopWithinMs).unref();
  try {
    await serving?.close();
    process.exit(0);
  } catch (error) {
    // Its stack alone: other fields of an error may quote a row or an address.
    console.error("Stopping failed:", error instanceof Error ? error.stack : error);
    process.exit(1);
  }
}

// The launcher gives each child an IPC channel that carries nothing: it closes when the launcher dies, however it dies.
// Armed at import, so that a child still starting goes too.
const launched = process.send !== undefined;
if (launched) process.once("disconnect", () => void stop());

/**
 * Called once by a child's main, as soon as it serves: prints the ready line (`{"ready":true,"port":n}`) on standard output,
 * then runs `close` and exits on SIGTERM, on SIGINT and when the launcher is gone. Started by hand it does the same, without a launcher.
 */
export function serveAsChild(child: Serving): void {
  serving = child;
  process.on("SIGTERM", () => void stop());
  process.on("SIGINT", () => void stop());
  // A launcher that is gone no longer reads: that must not end a child before it has closed its files.
  process.stdout.on("error", () => {});
  if (launched && !process.connected) return void stop();
  process.stdout.write(`${JSON.stringify({ ready: true, port: child.port })}\n`);
}
