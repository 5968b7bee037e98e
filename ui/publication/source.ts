import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import type { CourseDraft } from "@colloquy/schemas/publication/draft.ts";
import type { EditorSourceResponse } from "@colloquy/schemas/publication/requests.ts";
import { courseDigest } from "./publishing/course-digest.ts";
import type { Base } from "./session.ts";

/** A revision with the source of its course. */
export interface CourseSource {
  base: Base;
  course: AuthoredCourse;
  /** The requested revision no longer exists; this is the live one. */
  isSubstitute?: boolean;
}

/** Loads a course's source: the live revision, or a given one. @throws {SourceUnavailable} */
export async function courseSource(courseId: string, revisionId?: string): Promise<CourseSource> {
  const query = new URLSearchParams({ course: courseId, ...(revisionId && { revision: revisionId }) });
  const response = await fetch(`/api/course-editor/source?${query}`, { headers: { accept: "application/json" } });
  if (!response.ok) throw new SourceUnavailable(response.status);
  const { course, sequence, revisionId: given } = (await response.json()) as EditorSourceResponse;
  return { base: { sequence, revisionId: given }, course };
}

export class SourceUnavailable extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`The course source could not be loaded (status ${status}).`);
    this.status = status;
  }
}

/**
 * The live revision if it was sent from this draft without an answer arriving; otherwise null. The draft stores digests of what was sent, so this
 * works after a reload.
 * @throws {SourceUnavailable}
 */
export async function ownPublication(draft: Pick<CourseDraft, "courseId" | "sent">): Promise<CourseSource | null> {
  if (!draft.sent?.length) return null;
  const published = await courseSource(draft.courseId);
  return draft.sent.includes(await courseDigest(published.course)) ? published : null;
}
