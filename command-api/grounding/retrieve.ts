import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { courseKeys } from "@colloquy/infra/object-store/course-objects.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import type { PassageLibrary, RankedPassage, ResolvedReference } from "@colloquy/projections/passages/queries.ts";
import type { SubmittedReference } from "@colloquy/schemas/ask/ask.ts";

/** A passage in the prompt of one turn, where its id is `key` ("s1", "s2", …). */
export interface TurnPassage extends RankedPassage {
  key: string;
  /** Its text as its authors wrote it, where that can be told apart from the text around it. */
  markdown?: string;
  /** False where text of its page is left out before it. */
  isJoined?: boolean;
}

/** Whether a course was published as this revision. */
export type IsRevision = (courseId: string, revisionId: string) => Promise<boolean>;

/** Looks for a revision's manifest; a store that does not answer is no proof against a reference. */
export function publishedRevisions(objectStore: Pick<ObjectStore, "get">): IsRevision {
  return async (courseId, revisionId) => {
    try {
      return (await objectStore.get(courseKeys.manifest(courseId, revisionId))) !== null;
    } catch {
      return true;
    }
  };
}

/**
 * Resolves attached addresses in the live revisions and checks that every part of a reference names the same place: the source, and a
 * revision of its course, which may be an older one. Labels of clients are ignored.
 * @throws {ProblemError} `unknown_reference`, naming each part that does not fit
 */
export async function resolveReferences(
  { library, isRevision }: { library: Pick<PassageLibrary, "resolve">; isRevision: IsRevision },
  submitted: readonly SubmittedReference[],
): Promise<ResolvedReference[]> {
  const checked = await Promise.all(
    submitted.map(async ({ href, sourceId, revisionId }, index) => {
      const path = `references.${index}`;
      const place = await library.resolve({ href });
      const fault = (part: string, message: string) => ({ place: null, fault: { path: part, message } });
      if (!place) return fault(path, `${href} does not lead to a place in a published course`);
      if (revisionId !== undefined && revisionId !== place.revisionId && !(await isRevision(place.courseId, revisionId)))
        return fault(`${path}.revisionId`, `${place.courseId} was never published as this revision`);
      // A block whose id was changed since an older revision has another source id now.
      const mayHaveChanged = revisionId !== undefined && revisionId !== place.revisionId;
      if (sourceId !== undefined && sourceId !== place.source.sourceId && !mayHaveChanged)
        return fault(`${path}.sourceId`, `${href} is another source`);
      return { place, fault: null };
    }),
  );
  const fields = checked.flatMap(({ fault }) => fault ?? []);
  if (fields.length > 0) throw new ProblemError("unknown_reference", { fields });
  return checked.flatMap(({ place }) => place ?? []);
}

/** Tokens of a text, estimated at four characters each (the usual rule of thumb for English). */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
