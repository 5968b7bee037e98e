import type { ServerResponse } from "node:http";

/** The client reads too slowly; its connection is closed. */
export class SlowReader extends Error {
  override name = "SlowReader";
}

/**
 * Waits until the response has drained or the client disconnected (`signal`).
 * @throws {SlowReader} when that takes longer than `slowMs`
 */
export async function waitForDrain(response: ServerResponse, { signal, slowMs }: { signal: AbortSignal; slowMs: number }): Promise<void> {
  if (signal.aborted || !response.writableNeedDrain) return;
  const taken = Promise.withResolvers<void>();
  const timer = setTimeout(() => taken.reject(new SlowReader()), slowMs);
  const go = (): void => taken.resolve();
  response.once("drain", go);
  signal.addEventListener("abort", go, { once: true });
  try {
    await taken.promise;
  } finally {
    clearTimeout(timer);
    response.off("drain", go);
    signal.removeEventListener("abort", go);
  }
}
