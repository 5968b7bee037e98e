import { releaseMemoryWhenQuiet } from "./release-memory.ts";

/** How a process runs under the launcher: it reports when it serves, stops when asked, and never outlives the launcher. */

interface Serving {
  /** The port it listens on; the ready line reports it to the launcher. */
  port: number;
  /** Stops accepting requests, finishes running ones, closes files. */
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
    console.error("Stopping took too long. Open work was cut off.");
    process.exit(1);
  }, serving?.withinMs ?? stopWithinMs).unref();
  try {
    await serving?.close();
    process.exit(0);
  } catch (error) {
    // The stack only: other fields of an error may contain a row's text or an address.
    console.error("Stopping failed:", error instanceof Error ? error.stack : error);
    process.exit(1);
  }
}

// The launcher gives each child an IPC channel that carries nothing: it closes when the launcher dies, however it dies.
// Registered at import, so that it also ends a child that is still starting.
const launched = process.send !== undefined;
if (launched) process.once("disconnect", () => void stop());

/**
 * Called once by a child's main, as soon as it serves: prints the ready line (`{"ready":true,"port":n}`) on standard output,
 * then runs `close` and exits on SIGTERM, on SIGINT and when the launcher has ended. It also works without a launcher.
 */
export function serveAsChild(child: Serving): void {
  serving = child;
  releaseMemoryWhenQuiet();
  process.on("SIGTERM", () => void stop());
  process.on("SIGINT", () => void stop());
  // A launcher that has ended no longer reads; the error must not end a child before it has closed its files.
  process.stdout.on("error", () => {});
  if (launched && !process.connected) return void stop();
  process.stdout.write(`${JSON.stringify({ ready: true, port: child.port })}\n`);
}
