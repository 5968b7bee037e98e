import { CallFailure } from "./failures.ts";

/** The clocks of one call: any of them running out aborts it, and so does the caller's signal. */
export interface Deadlines {
  signal: AbortSignal;
  /** Starts a clock under a name; a clock of that name that runs already starts anew. */
  start(name: string, ms: number): void;
  stop(name: string): void;
  /** Ends the call from our side. */
  abort(): void;
  /** Stops every clock and lets go of the caller's signal. */
  clear(): void;
  /** What ended the call, when a clock did. */
  expired(): CallFailure | undefined;
}

export function createDeadlines(caller: AbortSignal): Deadlines {
  const own = new AbortController();
  // Not by `AbortSignal.any`: one of those that somebody listens to is held by Node for as long as it is not aborted.
  const follow = (): void => own.abort(caller.reason);
  if (caller.aborted) follow();
  else caller.addEventListener("abort", follow, { once: true });
  const clocks = new Map<string, NodeJS.Timeout>();
  let expired: CallFailure | undefined;
  const stop = (name: string) => {
    clearTimeout(clocks.get(name));
    clocks.delete(name);
  };
  return {
    signal: own.signal,
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
      caller.removeEventListener("abort", follow);
    },
    expired: () => expired,
  };
}
