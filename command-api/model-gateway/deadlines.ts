import { CallFailure } from "./failures.ts";

/** The clocks of one call: any of them running out aborts it, and so does the caller's signal. */
export interface Deadlines {
  signal: AbortSignal;
  /** Starts a clock under a name; a clock of that name that runs already starts anew. */
  start(name: string, ms: number): void;
  stop(name: string): void;
  /** Ends the call from our side. */
  abort(): void;
  /** Stops every clock. */
  clear(): void;
  /** What ended the call, when a clock did. */
  expired(): CallFailure | undefined;
}

export function createDeadlines(caller: AbortSignal): Deadlines {
  const own = new AbortController();
  const clocks = new Map<string, NodeJS.Timeout>();
  let expired: CallFailure | undefined;
  const stop = (name: string) => {
    clearTimeout(clocks.get(name));
    clocks.delete(name);
  };
  return {
    signal: AbortSignal.any([caller, own.signal]),
    start(name, ms) {
      stop(name);
      clocks.set(
        name,
        setTimeout(() => {
          expired = new CallFailure("timeout");
          own.abort(expired);
        }, ms),
      );
    },
    stop,
    abort: () => own.abort(),
    clear() {
      for (const name of [...clocks.keys()]) stop(name);
    },
    expired: () => expired,
  };
}
