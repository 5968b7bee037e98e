import { createHash } from "node:crypto";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import type { AskRequest } from "@colloquy/schemas/ask/ask.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import canonicalize from "canonicalize";
import { LRUCache } from "lru-cache";

/** Request ids whose question is remembered; some 2 MB. */
const rememberedRequests = 10_000;
/** Accounts whose early cancellations are remembered; some 5 MB at most. */
const rememberedAccounts = 1_000;

export interface AskRequestIds {
  /**
   * Remembers which question an id was used for. Best effort, in this process.
   * @throws {ProblemError} `request_id_reused` when it was used for another question.
   */
  use(accountId: string, asked: AskRequest): void;
}

/** The same question under its id gets the running or kept turn, or is answered again: a turn that was read leaves no event. */
export function askRequestIds(): AskRequestIds {
  const digests = new LRUCache<string, string>({ max: rememberedRequests });
  return {
    use(accountId, asked) {
      const key = `${accountId} ${asked.requestId}`;
      const digest = createHash("sha256")
        .update(canonicalize(asked) ?? "")
        .digest("base64");
      if ((digests.get(key) ?? digest) !== digest)
        throw new ProblemError("request_id_reused", {
          detail: "Another question was asked with this id. Send a new id with each question.",
        });
      digests.set(key, digest);
    },
  };
}

export interface CancelledBeforeArrival {
  add(accountId: string, requestId: string): void;
  /** True once if the client cancelled this request before it arrived. */
  take(accountId: string, requestId: string): boolean;
}

/**
 * Cancellations that overtook their request on another connection: that request is neither answered nor recorded. Each account has a
 * cache of its own, so that no account evicts the cancellations of another.
 */
export function cancelledBeforeArrival(now: () => number = () => performance.now()): CancelledBeforeArrival {
  const { ms, perAccount } = bounds.ask.cancelledBeforeArrival;
  const accounts = new LRUCache<string, LRUCache<string, true>>({ max: rememberedAccounts });
  return {
    add(accountId, requestId) {
      const cancelled = accounts.get(accountId) ?? new LRUCache({ max: perAccount, ttl: ms, ttlResolution: 0, perf: { now } });
      cancelled.set(requestId, true);
      accounts.set(accountId, cancelled);
    },
    take(accountId, requestId) {
      const cancelled = accounts.get(accountId);
      const isCancelled = cancelled?.get(requestId) ?? false;
      cancelled?.delete(requestId);
      return isCancelled;
    },
  };
}
