import { boundedCache } from "@colloquy/infra/bounded-cache.ts";
import { DamagedRevision, readSearchIndex } from "@colloquy/infra/object-store/course-objects.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import { sourceDigests } from "./source-identity.ts";

/**
 * The sources of one revision of a course whose text is another in a second one, or which are not in it; null where one of the two is
 * missing or damaged, so that nobody knows. Rejects where the object store does not answer now: that says nothing of the course.
 */
export type RevisionChanges = (courseId: string, from: string, to: string) => Promise<ReadonlySet<string> | null>;

/** Pairs of revisions whose differences are kept at hand. */
const keptPairs = 100;

/** Compares revisions by their search indexes, which are never changed once they are written. */
export function revisionChanges(objectStore: ObjectStore): RevisionChanges {
  const kept = boundedCache<ReadonlySet<string>>(keptPairs);
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
    kept(`${courseId} ${from} ${to}`, () => compare(courseId, from, to)).catch((error: unknown) => {
      if (error instanceof DamagedRevision) return null;
      throw error;
    });
}
