import type { AuthoredCourse } from "../courses/authored.ts";
import type { RenamedId } from "../courses/editing/rename.ts";
import { sameCourse } from "../courses/editing/units.ts";

/** The version drafts are written in. */
export const draftVersion = 1;

/** So many contents that went out unanswered are remembered. */
export const mostSent = 8;

/**
 * A draft, private to its browser and account; also the form in which one is downloaded and uploaded again. It holds authored source
 * paths only, never addresses of files.
 */
export interface CourseDraft {
  draftVersion: typeof draftVersion;
  courseId: string;
  accountId: string;
  /** What the author began from; a draft over a newer live revision is a conflict, not the content. */
  base: { sequence: number; revisionId: string };
  course: AuthoredCourse;
  renamedIds: RenamedId[];
  /** RFC 3339. */
  savedAt: string;
  /** Counts up with each save: a tab that does not know the last one must not write over it. */
  version: number;
  /** Of the attempt to publish `course`; null where the content has changed since, or was never sent. */
  requestId: string | null;
  /** Digests of what went out and was not answered, the last at the end: what is live then is no conflict. */
  sent?: string[] | undefined;
  /** The revision this draft became; it is kept until a page of the service shows it, at this or a later sequence. */
  receipt: { sequence: number; revisionId: string } | null;
}

/** The request id for what a draft holds now: the one it was tried with while the content is the same, a new one otherwise. */
export function requestIdFor(draft: Pick<CourseDraft, "requestId" | "course">, course: AuthoredCourse, mint: () => string): string {
  return draft.requestId !== null && sameCourse(draft.course, course) ? draft.requestId : mint();
}

/** Whether a receipt has done its work: a page shows its revision, or a later one. */
export function receiptIsSettled({ receipt }: Pick<CourseDraft, "receipt">, shown: { sequence: number }): boolean {
  return receipt !== null && shown.sequence >= receipt.sequence;
}

/**
 * A draft as an older editor may have written it, with addresses of files in place of the paths authors use: put right. An address whose
 * hash the course does not list is left, and validation names it.
 */
export function withSourcePaths(course: AuthoredCourse): AuthoredCourse {
  const pathOf = new Map(course.assets.map(({ sha256, path }) => [sha256, path]));
  const address = new RegExp(`(?:https?://[^\\s/()<>"]+)?/api/courses/${course.manifest.courseId}/assets/([0-9a-f]{64})`, "g");
  const mended = (source: string): string => source.replaceAll(address, (whole, sha256: string) => pathOf.get(sha256) ?? whole);
  let changed = false;
  const topics = course.topics.map((topic) => {
    if (!topic.blocks.some(({ source }) => mended(source) !== source)) return topic;
    changed = true;
    return { ...topic, blocks: topic.blocks.map((block) => ({ ...block, source: mended(block.source) })) };
  });
  return changed ? { ...course, topics } : course;
}
