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

/** A published revision with its time (RFC 3339). */
export interface PublishedAt extends Published {
  at: string;
}

/** A revision as it was authored. */
export interface WrittenRevision {
  course: AuthoredCourse;
  identity: IdentityIndex;
  sequence: number;
  revisionId: string;
  origin: CourseOrigin;
  contentHash: string;
}

/** Every revision of a course, the first one first. */
export async function historyOf(eventStore: Pick<EventStore, "read">, courseId: string): Promise<PublishedAt[]> {
  const events = await Array.fromAsync(eventStore.read(publicationStream(courseId)));
  return events.map((stored) => ({ ...publicationEvents.parse(stored).data, position: stored.position, at: stored.created }));
}

/** A complete published revision; null if its objects are lost. */
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
 * The ids of a damaged revision, as far as its objects are left; topics whose unit is lost have no text. Not fit for publishing. Null if
 * the manifest is lost too.
 */
export function readRemains(objectStore: ObjectStore, { courseId, revisionId }: Published): Promise<AuthoredCourse | null> {
  return unlessLost(() =>
    readAuthoredCourse(objectStore, courseId, revisionId, ({ unit: _, ...topic }) => ({ ...topic, objectives: [], blocks: [] })),
  );
}

/** What identifies a checked file, whatever its path. */
export const factsOf = ({ sha256, bytes, type }: Asset): string => `${sha256} ${bytes} ${type}`;

/** The part of a revision that the next one depends on; null if its objects are lost. */
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
