import { randomUUID } from "node:crypto";
import { courseKeys } from "@colloquy/infra/object-store/course-objects.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import type { Publication, PublishResult } from "../handlers.ts";

/** A rollback that cannot be; the message says why. */
export class RollbackRefused extends Error {
  override name = "RollbackRefused";
}

/**
 * Publishes the content of an older revision as the next one. Nothing is taken back: what readers kept with things that come back is
 * theirs again, addresses of what goes stay known.
 * @throws {RollbackRefused} for a course or revision that does not exist or whose objects are lost
 */
export async function rollBack(options: {
  publication: Publication;
  objectStore: Pick<ObjectStore, "get">;
  courseId: string;
  sequence: number;
  accountId: string;
}): Promise<PublishResult> {
  const { publication, objectStore, courseId, sequence, accountId } = options;
  const history = await publication.history(courseId);
  const live = history.at(-1);
  const wanted = history.find((revision) => revision.sequence === sequence);
  if (!live) throw new RollbackRefused(`The course ${courseId} was never published.`);
  if (!wanted) throw new RollbackRefused(`The course ${courseId} has revisions 1 to ${live.sequence}, no ${sequence}.`);
  const written = await publication.read(wanted);
  if (!written) throw new RollbackRefused(`Objects of revision ${sequence} are missing from the object store.`);
  return publication.publishCourse({
    courseId,
    course: written.course,
    accountId,
    origin: live.origin,
    requestId: randomUUID(),
    base: { sequence: live.sequence, revisionId: live.revisionId },
    readAsset: async ({ sha256 }) => (await objectStore.get(courseKeys.asset(courseId, sha256)))?.bytes ?? null,
  });
}
