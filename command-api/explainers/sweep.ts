import { setTimeout as pause } from "node:timers/promises";
import { filmObjectKey, filmObjects, sha256OfKey } from "@colloquy/infra/object-store/film-objects.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { RecentObjects } from "./recent-objects.ts";
import type { ExplainerWork } from "./worker.ts";

interface SweepNeeds {
  objectStore: Pick<ObjectStore, "list" | "remove">;
  /** Which of these no film needs. */
  unneeded(sha256s: string[]): Promise<string[]>;
  recent: RecentObjects;
}

const atOnce = 200;

/**
 * Removes objects that no film needs, once they were found so twice in a row: of renders that came to nothing, and of jobs that were erased.
 * One that is just being uploaded, or was just taken from the cache, is known as needed by the second time.
 */
export function filmSweep({ objectStore, unneeded, recent }: SweepNeeds): () => Promise<number> {
  let suspects = new Set<string>();
  return async () => {
    const found: string[] = [];
    let some: string[] = [];
    const look = async (): Promise<void> => {
      found.push(...(await unneeded(some)).filter((sha256) => !recent.has(sha256)));
      some = [];
    };
    for await (const key of objectStore.list(filmObjects)) if (some.push(sha256OfKey(key)) >= atOnce) await look();
    await look();
    const gone = found.filter((sha256) => suspects.has(sha256));
    for (const sha256 of gone) await objectStore.remove(filmObjectKey(sha256));
    suspects = new Set(found);
    return gone.length;
  };
}

/** Looks after films until the signal: leases that ran out every few seconds, objects from time to time. */
export async function keepTending(options: {
  work: Pick<ExplainerWork, "tend">;
  sweep: () => Promise<number>;
  log: Logger;
  signal: AbortSignal;
}): Promise<void> {
  const { work, sweep, log, signal } = options;
  const { tendEveryMs, sweepEveryMs } = bounds.explainer;
  const every = async (ms: number, what: string, look: () => Promise<number>): Promise<void> => {
    while (!signal.aborted) {
      await look().catch((error: unknown) => {
        if (!signal.aborted) log.warn({ err: error }, `${what} was interrupted and is tried again`);
      });
      await pause(ms, undefined, { signal, ref: false }).catch(() => undefined);
    }
  };
  await Promise.all([
    every(tendEveryMs, "looking after leases of renders", work.tend),
    every(sweepEveryMs, "removing objects no film needs", sweep),
  ]);
}
