/** What a promise brings, unless the signal aborts first: then its reason is thrown, and whatever the promise does is no longer waited for. */
export function abortable<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const stop = (): void => aborted.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  return Promise.race([promise, aborted.promise]).finally(() => signal.removeEventListener("abort", stop));
}
