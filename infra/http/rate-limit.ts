import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { ProblemError } from "./problem.ts";

/**
 * A best-effort limit of this process: `points` calls per account in `seconds`.
 * The returned function throws `rate_limited` with the seconds to wait.
 */
export function perAccount(options: { points: number; seconds: number }): (accountId: string) => Promise<void> {
  const limiter = new RateLimiterMemory({ points: options.points, duration: options.seconds });
  return async (accountId) => {
    try {
      await limiter.consume(accountId);
    } catch (rejected) {
      if (!(rejected instanceof RateLimiterRes)) throw rejected;
      throw new ProblemError("rate_limited", { retryAfterSeconds: Math.ceil(rejected.msBeforeNext / 1_000) });
    }
  };
}
