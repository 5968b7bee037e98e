import { type EventStore, StoreIsOlder } from "@colloquy/infra/event-store/client.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { liveUpdatesWaiting } from "@colloquy/infra/telemetry/metrics.ts";
import { type ReadModels, waitForPosition } from "@colloquy/projections/checkpoints/queries.ts";
import { personalStreamPrefixes } from "@colloquy/schemas/events/personal.ts";

/** Timeout of one wait for the projection; only a stopped projection needs another one. */
const waitMs = 10_000;

export interface LiveTail {
  /** Calls `wake` when the feed has new changes of an account; returns the function that ends this. */
  follow(accountId: string, wake: () => void): () => void;
  close(): Promise<void>;
}

/**
 * One subscription of this process to the personal streams. It forwards no text: it only wakes an account's followers once the feed holds
 * the new changes, so that every reader sees the same rows in the same order.
 */
export function liveTail(options: { store: Pick<EventStore, "subscribe">; database: ReadModels; log: Logger }): LiveTail {
  const { store, database, log } = options;
  const stopping = new AbortController();
  const followers = new Map<string, Set<() => void>>();
  /** Position of the last unannounced event by account, in order of position. */
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
      let isApplied = false;
      while (!isApplied && !stopping.signal.aborted) isApplied = await waitForPosition(database, "sync", position, waitMs, stopping.signal);
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
      // Events from before the subscription are in the feed or soon will be.
      onCaughtUp: wakeAll,
    });
    for await (const { metadata, position } of events) {
      latest = position;
      if (metadata.accountId && followers.has(metadata.accountId)) add(metadata.accountId, position);
    }
  }

  /** After a restore of the store it subscribes again from the new end. */
  async function keepListening(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await listen();
      } catch (error) {
        if (!(error instanceof StoreIsOlder)) throw error;
        log.warn({ err: error }, "the live tail starts again from the end");
        latest = undefined;
      }
    }
  }

  const listening = keepListening().catch((error) => log.error({ err: error }, "the live tail ended; streams continue by their heartbeat"));

  return {
    follow(accountId, wake) {
      const wakes = followers.get(accountId) ?? new Set();
      followers.set(accountId, wakes.add(wake));
      // Changes from just before may not be in the feed yet when the follower first reads it.
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
