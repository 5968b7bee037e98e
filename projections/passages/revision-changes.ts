import { boundedCache } from "@colloquy/infra/bounded-cache.ts";
import { DamagedRevision, readSearchIndex } from "@colloquy/infra/object-store/course-objects.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import { sourceDigests } from "./source-identity.ts";

/**
 * The sources of one revision of a course that have other text in a second one, or are not in it; null if one of the revisions is missing
 * or damaged. Rejects if the object store does not answer.
 */
export type RevisionChanges = (courseId: string, from: string, to: string) => Promise<ReadonlySet<string> | null>;

/** Pairs of revisions whose differences are cached. */
const cachedPairs = 100;

/** Compares revisions by their search indexes, which are immutable. */
export function revisionChanges(objectStore: ObjectStore): RevisionChanges {
  const cache = boundedCache<ReadonlySet<string>>(cachedPairs);
  const compare = async (courseId: string, from: string, to: string): Promise<ReadonlySet<string>> => {
    const read = (revisionId: string) => readSearchIndex(objectStore, courseId, revisionId);
    const [before, after] = await Promise.all([read(from), read(to)]);
    const old = sourceDigests(before.passages);
    const now = sourceDigests(after.passages);
    const there = new Set(after.sources.map(({ sourceId }) => sourceId));
    const changed = before.sources.filter(({ sourceId }) => !there.has(sourceId) || old.get(sourceId) !== now.get(sourceId));
    return new Set(changed.map(({ sourceId }) => sourceId));
  };
  return (courseId, from, to) =>
    cache(`${courseId} ${from} ${to}`, () => compare(courseId, from, to)).catch((error: unknown) => {
      if (error instanceof DamagedRevision) return null;
      throw error;
    });
}
