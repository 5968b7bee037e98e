import { setTimeout as pause } from "node:timers/promises";
import { StoreClosed } from "@colloquy/infra/event-store/client.ts";
import { refusalOf } from "@colloquy/infra/event-store/refusal.ts";

/** Whether the event store takes commands, as its last answers say. */
export interface EventStoreState {
  ok: boolean;
  /** How long the last answer took, or how long one has been awaited. */
  ms: number;
  reason?: string;
}

interface Options {
  /** Resolves when commands can be taken. */
  ask: () => Promise<unknown>;
  now?: () => number;
  /** How long an answer counts. */
  cacheMs?: number;
  /** How long somebody waits for one. */
  waitMs?: number;
  /** How long the store may be silent: one slow answer is no outage. */
  silentMs?: number;
}

/**
 * Asks at most one question at a time. What the store refuses counts at once, with the reason; silence only when it lasts.
 */
export function eventStoreState({
  ask,
  now = () => performance.now(),
  cacheMs = 1_000,
  waitMs = 2_000,
  silentMs = 4_000,
}: Options): () => Promise<EventStoreState> {
  let running: Promise<void> | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;
  let tookMs = 0;
  let wasThere = false;
  let unansweredSince: number | null = null;
  let refusal: { reason?: string } | null = null;

  async function question(): Promise<void> {
    askedAt = now();
    unansweredSince ??= askedAt;
    try {
      await ask();
      wasThere = true;
      unansweredSince = null;
      refusal = null;
    } catch (error) {
      const reason = refusalOf(error);
      if (reason !== null) refusal = { reason };
      else if (error instanceof StoreClosed) refusal = {};
    } finally {
      tookMs = now() - askedAt;
      running = null;
    }
  }

  return async () => {
    if (!running && now() - askedAt >= cacheMs) running = question();
    if (running) await Promise.race([running, pause(waitMs, undefined, { ref: false })]);
    const silent = unansweredSince === null ? 0 : now() - unansweredSince;
    const ok = wasThere && refusal === null && silent < silentMs;
    return { ok, ms: Math.round(running ? now() - askedAt : tookMs), ...(refusal?.reason !== undefined && { reason: refusal.reason }) };
  };
}
