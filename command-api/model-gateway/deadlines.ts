import { CallFailure } from "./failures.ts";

/** Named timeouts of one call, which abort it like the caller's signal. */
export interface Deadlines {
  signal: AbortSignal;
  /** Starts or restarts a timeout. */
  start(name: string, ms: number): void;
  stop(name: string): void;
  /** Aborts the call. */
  abort(): void;
  /** Stops every timeout and removes the listener from the caller's signal. */
  clear(): void;
  /** The failure, if a timeout ended the call. */
  expired(): CallFailure | undefined;
}

export function createDeadlines(caller: AbortSignal): Deadlines {
  const own = new AbortController();
  // Not `AbortSignal.any`: Node keeps such a signal in memory while it has a listener and is not aborted.
  const follow = (): void => own.abort(caller.reason);
  if (caller.aborted) follow();
  else caller.addEventListener("abort", follow, { once: true });
  const timers = new Map<string, NodeJS.Timeout>();
  let expired: CallFailure | undefined;
  const stop = (name: string) => {
    clearTimeout(timers.get(name));
    timers.delete(name);
  };
  return {
    signal: own.signal,
    start(name, ms) {
      stop(name);
      timers.set(
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
      for (const name of [...timers.keys()]) stop(name);
      caller.removeEventListener("abort", follow);
    },
    expired: () => expired,
  };
}
