import { type EventStore, StoreIsOlder } from "@colloquy/infra/event-store/client.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { explainerStreamPrefix, jobIdOf } from "@colloquy/schemas/explainers/events.ts";

export interface JobTail {
  /** Calls `wake` when a job's stream has new events; returns the function that ends this. */
  follow(jobId: string, wake: () => void): () => void;
}

/** One subscription of this process to all jobs' streams, while there are followers; followers read their stream themselves. */
export function jobTail({ store, log, signal }: { store: Pick<EventStore, "subscribe">; log: Logger; signal: AbortSignal }): JobTail {
  const followers = new Map<string, Set<() => void>>();
  let leaving: AbortController | undefined;

  const wakeAll = (): void => {
    for (const wakes of followers.values()) for (const wake of wakes) wake();
  };

  async function listen(ending: AbortSignal): Promise<void> {
    while (!ending.aborted) {
      try {
        const events = store.subscribe({
          from: "end",
          prefixes: [explainerStreamPrefix],
          name: "films-tail",
          signal: ending,
          // Events from before the subscription are in the streams.
          onCaughtUp: wakeAll,
        });
        for await (const { stream } of events) for (const wake of followers.get(jobIdOf(stream)) ?? []) wake();
      } catch (error) {
        if (ending.aborted) return;
        if (!(error instanceof StoreIsOlder)) throw error;
        log.warn({ err: error }, "the tail of video jobs starts again from the end");
      }
    }
  }

  function begin(): void {
    leaving = new AbortController();
    const ending = AbortSignal.any([signal, leaving.signal]);
    listen(ending).catch((error: unknown) => {
      if (!ending.aborted) log.error({ err: error }, "the tail of video jobs ended; streams continue by their heartbeat");
    });
  }

  return {
    follow(jobId, wake) {
      const wakes = followers.get(jobId) ?? new Set();
      if (followers.size === 0) begin();
      followers.set(jobId, wakes.add(wake));
      return () => {
        wakes.delete(wake);
        if (wakes.size === 0 && followers.get(jobId) === wakes) followers.delete(jobId);
        if (followers.size === 0) leaving?.abort();
      };
    },
  };
}
