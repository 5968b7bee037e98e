import { filmObjectKey, filmObjects, sha256OfKey } from "@colloquy/infra/object-store/film-objects.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import type { RecentObjects } from "./recent-objects.ts";

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
