import { setTimeout as sleep } from "node:timers/promises";

/**
 * Exponential pauses between the attempts of a loop that never gives up and starts again from the shortest pause after progress.
 * A call with a bounded number of attempts uses `p-retry`.
 */
export class Backoff {
  readonly #first: number;
  readonly #longest: number;
  #failures = 0;

  constructor({ firstMs, longestMs }: { firstMs: number; longestMs: number }) {
    this.#first = firstMs;
    this.#longest = longestMs;
  }

  /** Attempts since the last reset. */
  get failures(): number {
    return this.#failures;
  }

  /** Counts one more attempt and returns the pause after it, in milliseconds. */
  nextMs(): number {
    const ms = Math.min(this.#first * 2 ** this.#failures, this.#longest);
    this.#failures += 1;
    return ms;
  }

  /** Pauses before the next attempt; returns early when the signal aborts. */
  async pause(signal: AbortSignal): Promise<void> {
    await sleep(this.nextMs(), undefined, { signal }).catch(() => undefined);
  }

  reset(): void {
    this.#failures = 0;
  }
}

/** Rethrows a `TypeError` as a plain error: `p-retry` takes one for a defect and gives up, also where a client throws it for a lost connection. */
export function rethrowRetryable(error: unknown): never {
  throw error instanceof TypeError ? new Error(error.message, { cause: error }) : error;
}
