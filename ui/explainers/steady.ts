import { backoffMs, pause, withJitter } from "../api/backoff.ts";
import { type ClientProblem, problemOfThrown } from "../api/problems.ts";

/** The first wait after a failure; it doubles up to the last, in milliseconds. */
const waits = { firstMs: 500, mostMs: 30_000 };

/** How long to wait after so many failures in a row: a little more or less each time, so that not everybody comes back at once. */
export const waitAfter = (failures: number): number => withJitter(backoffMs(failures, waits));

/** Whether time alone may mend it: nobody answers, or a part of the service is not there yet. */
const isPassing = ({ status, retryable, code }: ClientProblem): boolean =>
  status === 0 || status >= 500 || retryable || code === "read_model_behind";

/** Does what reads again for as long as nobody answers. */
export class Steady {
  /** What keeps it waiting just now. */
  away: ClientProblem | null = null;
  readonly #changed: (away: ClientProblem | null) => void;
  #hurry = new AbortController();

  /** @param changed nobody answers any more, or somebody answers again */
  constructor(changed: (away: ClientProblem | null) => void) {
    this.#changed = changed;
  }

  /** Tries at once instead of waiting any longer. */
  hurry(): void {
    this.#hurry.abort();
  }

  /** @throws what trying again cannot mend, and the `AbortError` once the signal says so */
  async read<Result>(read: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    for (let failures = 0; ; failures += 1) {
      try {
        const result = await read();
        this.#tell(null);
        return result;
      } catch (error) {
        const problem = signal.aborted ? null : problemOfThrown(error);
        if (!problem || !isPassing(problem)) {
          this.#tell(null);
          throw problem ? error : new DOMException("stopped", "AbortError");
        }
        this.#tell(problem);
        this.#hurry = new AbortController();
        const leastMs = (problem.retryAfterSeconds ?? 0) * 1_000;
        await pause(Math.max(leastMs, waitAfter(failures)), AbortSignal.any([signal, this.#hurry.signal]));
      }
    }
  }

  #tell(away: ClientProblem | null): void {
    const before = this.away;
    this.away = away;
    if ((before === null) !== (away === null)) this.#changed(away);
  }
}
