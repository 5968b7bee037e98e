import { backoffMs, pause, withJitter } from "../api/backoff.ts";
import { type ClientProblem, problemOfThrown } from "../api/problems.ts";

/** The first delay and the maximum; the delay doubles after each failure. */
const waits = { firstMs: 500, mostMs: 30_000 };

/** Backoff after consecutive failures, with jitter so that clients do not return at once. */
export const retryDelayMs = (failures: number): number => withJitter(backoffMs(failures, waits));

/** The problem may go away by itself: unreachable, a server error, or a projection that is behind. */
const isTemporary = ({ status, retryable, code }: ClientProblem): boolean =>
  status === 0 || status >= 500 || retryable || code === "read_model_behind";

/** Retries a read while the service is unreachable. */
export class RetryWhileUnreachable {
  /** The problem it is waiting for. */
  problem: ClientProblem | null = null;
  readonly #changed: (problem: ClientProblem | null) => void;
  #wake = new AbortController();

  /** @param changed called when the service becomes unreachable or reachable again */
  constructor(changed: (problem: ClientProblem | null) => void) {
    this.#changed = changed;
  }

  /** Retries now instead of waiting. */
  retryNow(): void {
    this.#wake.abort();
  }

  /** @throws a problem that retrying cannot solve, or an `AbortError` when the signal aborts */
  async read<Result>(read: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    for (let failures = 0; ; failures += 1) {
      try {
        const result = await read();
        this.#setProblem(null);
        return result;
      } catch (error) {
        const problem = signal.aborted ? null : problemOfThrown(error);
        if (!problem || !isTemporary(problem)) {
          this.#setProblem(null);
          throw problem ? error : new DOMException("stopped", "AbortError");
        }
        this.#setProblem(problem);
        this.#wake = new AbortController();
        const leastMs = (problem.retryAfterSeconds ?? 0) * 1_000;
        await pause(Math.max(leastMs, retryDelayMs(failures)), AbortSignal.any([signal, this.#wake.signal]));
      }
    }
  }

  #setProblem(problem: ClientProblem | null): void {
    const before = this.problem;
    this.problem = problem;
    if ((before === null) !== (problem === null)) this.#changed(problem);
  }
}
