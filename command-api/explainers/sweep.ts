import { setTimeout as pause } from "node:timers/promises";
import { filmObjectKey, filmObjects, sha256OfKey } from "@colloquy/infra/object-store/film-objects.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";

/** How many objects are looked up together. */
const batchSize = 200;

/** Objects that were uploaded or named lately: a video may be about to need them, so they are not removed. */
export interface RecentObjects {
  add(sha256: string): void;
  has(sha256: string): boolean;
}

export function recentObjects(now: () => number = () => performance.now()): RecentObjects {
  const seen = new Map<string, number>();
  const recentMs = filmBounds.sweepObjectsEveryMs * 2;
  return {
    add(sha256) {
      for (const [other, at] of seen) if (now() - at > recentMs) seen.delete(other);
      seen.delete(sha256);
      seen.set(sha256, now());
    },
    has: (sha256) => now() - (seen.get(sha256) ?? Number.NEGATIVE_INFINITY) <= recentMs,
  };
}

interface SweepNeeds {
  objectStore: Pick<ObjectStore, "list" | "remove">;
  /** Which of these no video needs. */
  unneeded(sha256s: string[]): Promise<string[]>;
  recent: RecentObjects;
}

/**
 * Removes objects that no video needs: those of failed renders and of erased jobs. An object must be unneeded in two sweeps in a row,
 * because one that is being uploaded or was just taken from the cache is needed by the second.
 * @returns how many were removed
 */
export function objectSweep({ objectStore, unneeded, recent }: SweepNeeds): () => Promise<number> {
  let suspects = new Set<string>();
  return async () => {
    const found: string[] = [];
    let batch: string[] = [];
    const look = async (): Promise<void> => {
      found.push(...(await unneeded(batch)).filter((sha256) => !recent.has(sha256)));
      batch = [];
    };
    for await (const key of objectStore.list(filmObjects)) if (batch.push(sha256OfKey(key)) >= batchSize) await look();
    await look();
    const unneededTwice = found.filter((sha256) => suspects.has(sha256));
    for (const sha256 of unneededTwice) await objectStore.remove(filmObjectKey(sha256));
    suspects = new Set(found);
    return unneededTwice.length;
  };
}

/** Sweeps until the signal: expired leases every few seconds, objects every few minutes. */
export async function keepSweepingFilms(options: {
  /** Expires leases; returns how many jobs changed. */
  work: { sweep(): Promise<number> };
  sweepObjects: () => Promise<number>;
  log: Logger;
  signal: AbortSignal;
}): Promise<void> {
  const { work, sweepObjects, log, signal } = options;
  const { sweepJobsEveryMs, sweepObjectsEveryMs } = filmBounds;
  const every = async (ms: number, what: string, sweep: () => Promise<number>): Promise<void> => {
    while (!signal.aborted) {
      await sweep().catch((error: unknown) => {
        if (!signal.aborted) log.warn({ err: error }, `${what} failed; the next sweep tries again`);
      });
      await pause(ms, undefined, { signal, ref: false }).catch(() => undefined);
    }
  };
  await Promise.all([
    every(sweepJobsEveryMs, "sweeping leases of renders", work.sweep),
    every(sweepObjectsEveryMs, "removing objects that no video needs", sweepObjects),
  ]);
}
