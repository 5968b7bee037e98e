import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { ProblemError } from "./problem.ts";

export interface AccountLimit {
  /** Counts one. @throws {ProblemError} `rate_limited` with the seconds to wait */
  (accountId: string): Promise<void>;
  /** Takes one back, for a call that failed for no fault of the account. */
  refund(accountId: string): Promise<void>;
}

/** A best-effort limit of this process: `points` calls per account in `seconds`. */
export function rateLimitPerAccount(options: { points: number; seconds: number }): AccountLimit {
  const limiter = new RateLimiterMemory({ points: options.points, duration: options.seconds });
  const count = async (accountId: string): Promise<void> => {
    try {
      await limiter.consume(accountId);
    } catch (rejected) {
      if (!(rejected instanceof RateLimiterRes)) throw rejected;
      throw new ProblemError("rate_limited", { retryAfterSeconds: Math.ceil(rejected.msBeforeNext / 1_000) });
    }
  };
  return Object.assign(count, { refund: async (accountId: string) => void (await limiter.reward(accountId)) });
}

/** When to retry after too many concurrent calls: one may end at any moment. */
const retryAfterSeconds = 5;

/**
 * Limits concurrent calls of an account in this process. Returns the function that ends a call.
 * @param refused the error's message: what to do
 */
export function concurrencyLimitPerAccount(most: number, refused: string): (accountId: string) => () => void {
  const inside = new Map<string, number>();
  return (accountId) => {
    const before = inside.get(accountId) ?? 0;
    if (before >= most) throw new ProblemError("rate_limited", { detail: refused, retryAfterSeconds: retryAfterSeconds });
    inside.set(accountId, before + 1);
    return () => {
      const left = (inside.get(accountId) ?? 1) - 1;
      if (left > 0) inside.set(accountId, left);
      else inside.delete(accountId);
    };
  };
}
