/** The result of a promise, or the signal's reason if it aborts first; the work itself is not cancelled. */
export function abortable<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const stop = (): void => aborted.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  return Promise.race([promise, aborted.promise]).finally(() => signal.removeEventListener("abort", stop));
}
