import { type EventStore, StoreIsOlder } from "@colloquy/infra/event-store/client.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { liveUpdatesWaiting } from "@colloquy/infra/telemetry/metrics.ts";
import { type ReadModels, waitFor } from "@colloquy/projections/checkpoints/queries.ts";
import { personalStreamPrefixes } from "@colloquy/schemas/events/personal.ts";

/** How long one wait for the read model lasts before the next begins; only a stopped projection needs more than one. */
const waitMs = 10_000;

export interface LiveTail {
  /** Calls `wake` whenever the feed has something new of an account; returns how to stop that. */
  follow(accountId: string, wake: () => void): () => void;
  close(): Promise<void>;
}

/**
 * This process's one subscription to the personal streams. It carries no text onward: it only tells who has something new,
 * once the feed's read model holds it, so that every reader sees the same rows in the same order.
 */
export function liveTail(options: { store: Pick<EventStore, "subscribe">; database: ReadModels; log: Logger }): LiveTail {
  const { store, database, log } = options;
  const stopping = new AbortController();
  const followers = new Map<string, Set<() => void>>();
  /** By account, in the order of their positions: the last event that its followers have not been told of. */
  const news = new Map<string, string>();
  let announcing: Promise<void> | undefined;
  let latest: string | undefined;

  function wakeAll(): void {
    for (const wakes of followers.values()) for (const wake of wakes) wake();
  }

  function add(accountId: string, position: string): void {
    news.delete(accountId);
    news.set(accountId, position);
    liveUpdatesWaiting.set(news.size);
    announcing ??= announce();
  }

  async function announce(): Promise<void> {
    for (let [first] = news; first && !stopping.signal.aborted; [first] = news) {
      const [accountId, position] = first;
      news.delete(accountId);
      let held = false;
      while (!held && !stopping.signal.aborted) held = await waitFor(database, "sync", position, waitMs, stopping.signal);
      liveUpdatesWaiting.set(news.size);
      for (const wake of followers.get(accountId) ?? []) wake();
    }
    announcing = undefined;
  }

  async function listen(): Promise<void> {
    const events = store.subscribe({
      from: "end",
      prefixes: [...personalStreamPrefixes],
      name: "live-tail",
      signal: stopping.signal,
      // What came before the subscription stood, or while it was broken, is in the feed or soon will be.
      onCaughtUp: wakeAll,
    });
    for await (const { metadata, position } of events) {
      latest = position;
      if (metadata.accountId && followers.has(metadata.accountId)) add(metadata.accountId, position);
    }
  }

  /** A store that was set back is listened to from its new end. */
  async function keepListening(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await listen();
      } catch (error) {
        if (!(error instanceof StoreIsOlder)) throw error;
        log.warn({ err: error }, "the live tail begins anew");
        latest = undefined;
      }
    }
  }

  const listening = keepListening().catch((error) => log.error({ err: error }, "the live tail ended; streams go on by their heartbeat"));

  return {
    follow(accountId, wake) {
      const wakes = followers.get(accountId) ?? new Set();
      followers.set(accountId, wakes.add(wake));
      // What was written just before may not be in the feed yet when the follower reads it first.
      if (latest !== undefined) add(accountId, latest);
      return () => {
        wakes.delete(wake);
        if (wakes.size === 0 && followers.get(accountId) === wakes) followers.delete(accountId);
      };
    },
    async close() {
      stopping.abort();
      news.clear();
      await listening;
      await announcing;
    },
  };
}
