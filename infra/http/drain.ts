import type { ServerResponse } from "node:http";

/** A reader that does not read on; it is cut off. */
export class SlowReader extends Error {
  override name = "SlowReader";
}

/**
 * Waits until what was written has been taken, or nobody is there any more (`signal`).
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
