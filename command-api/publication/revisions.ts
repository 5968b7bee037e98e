import type { EventStore } from "@colloquy/infra/event-store/client.ts";
import {
  assertRevisionComplete,
  DamagedRevision,
  readAuthoredCourse,
  readIdentity,
  readManifest,
} from "@colloquy/infra/object-store/course-objects.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import type { Asset, AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import type { CourseOrigin, IdentityIndex } from "@colloquy/schemas/courses/revision.ts";
import { publicationEvents, publicationStream } from "@colloquy/schemas/publication/events.ts";
import type { Published } from "./decider.ts";
import type { Before } from "./identity-index.ts";

/** A revision as the stream tells it, with when it was published (RFC 3339). */
export interface PublishedAt extends Published {
  at: string;
}

/** A revision as its authors wrote it. */
export interface WrittenRevision {
  course: AuthoredCourse;
  identity: IdentityIndex;
  sequence: number;
  revisionId: string;
  origin: CourseOrigin;
  contentHash: string;
}

/** Every revision of a course, the first one first; none for a course that was never published. */
export async function historyOf(eventStore: Pick<EventStore, "read">, courseId: string): Promise<PublishedAt[]> {
  const events = await Array.fromAsync(eventStore.read(publicationStream(courseId)));
  return events.map((stored) => ({ ...publicationEvents.parse(stored).data, position: stored.position, at: stored.created }));
}

/** A published revision, whole. Null when its objects are lost: then whatever is published takes its place. */
export function readRevision(objectStore: ObjectStore, published: Published): Promise<WrittenRevision | null> {
  const { courseId, sequence, revisionId, origin, contentHash } = published;
  return unlessLost(async () => {
    await assertRevisionComplete(objectStore, courseId, revisionId);
    const course = await readAuthoredCourse(objectStore, courseId, revisionId);
    const identity = await readIdentity(objectStore, courseId, revisionId);
    return { course, identity, sequence, revisionId, origin, contentHash };
  });
}

/**
 * As much of a published revision as is left: a topic whose unit is lost has no text. It tells ids apart, and is nothing to publish. Null
 * where not even its manifest is left.
 */
export function readRemains(objectStore: ObjectStore, { courseId, revisionId }: Published): Promise<AuthoredCourse | null> {
  return unlessLost(() =>
    readAuthoredCourse(objectStore, courseId, revisionId, ({ unit: _, ...topic }) => ({ ...topic, objectives: [], blocks: [] })),
  );
}

/** What a revision says of a file, wherever that stands: a file of which this was checked once needs no other look. */
export const factsOf = ({ sha256, bytes, type }: Asset): string => `${sha256} ${bytes} ${type}`;

/** As much of a revision as the next one depends on: its files by their facts. Null when its own objects are lost. */
export function readBefore(
  objectStore: ObjectStore,
  { courseId, revisionId }: Published,
): Promise<(Before & { assets: Set<string> }) | null> {
  return unlessLost(async () => {
    const [manifest, identity] = await Promise.all([
      readManifest(objectStore, courseId, revisionId),
      readIdentity(objectStore, courseId, revisionId),
      assertRevisionComplete(objectStore, courseId, revisionId),
    ]);
    return { course: { ...manifest, manifest }, identity, assets: new Set(manifest.assets.map(factsOf)) };
  });
}

async function unlessLost<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof DamagedRevision) return null;
    throw error;
  }
}
