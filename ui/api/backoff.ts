/** Exponential backoff, in milliseconds: `firstMs` after the first failure, doubled by each further one up to `mostMs`. */
export interface Backoff {
  firstMs: number;
  mostMs: number;
}

/** The wait after a failure; `failures` counts those before it. */
export const backoffMs = (failures: number, { firstMs, mostMs }: Backoff): number => Math.min(mostMs, firstMs * 2 ** failures);

/** 75 to 125 % of a wait, so that clients do not all come back at once. */
export const withJitter = (milliseconds: number): number => milliseconds * (0.75 + Math.random() / 2);

/** Waits; ends early when the signal aborts or the browser comes online. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      removeEventListener("online", finish);
      signal?.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, milliseconds);
    addEventListener("online", finish);
    signal?.addEventListener("abort", finish);
    if (signal?.aborted) finish();
  });
}
