import { backoffMs, pause, withJitter } from "../api/backoff.ts";
import { type ClientProblem, problemOfThrown } from "../api/problems.ts";

/** The first wait after a failure; it doubles up to the last, in milliseconds. */
const waits = { firstMs: 500, mostMs: 30_000 };

/** How long to wait after so many failures in a row: a little more or less each time, so that not everybody comes back at once. */
export const retryDelayMs = (failures: number): number => withJitter(backoffMs(failures, waits));

/** Whether time alone may mend it: nobody answers, or a part of the service is not there yet. */
const isTemporary = ({ status, retryable, code }: ClientProblem): boolean =>
  status === 0 || status >= 500 || retryable || code === "read_model_behind";

/** Does what reads again for as long as nobody answers. */
export class RetryWhileUnreachable {
  /** What keeps it waiting just now. */
  problem: ClientProblem | null = null;
  readonly #changed: (problem: ClientProblem | null) => void;
  #wake = new AbortController();

  /** @param changed nobody answers any more, or somebody answers again */
  constructor(changed: (problem: ClientProblem | null) => void) {
    this.#changed = changed;
  }

  /** Tries at once instead of waiting any longer. */
  retryNow(): void {
    this.#wake.abort();
  }

  /** @throws what trying again cannot mend, and the `AbortError` once the signal says so */
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
