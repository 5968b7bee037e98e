import type { BaseRevision } from "@colloquy/schemas/courses/revision.ts";

/**
 * The revision an owner published last in this tab: their pages show it or a later one, whichever machine answers them. It is kept for
 * the tab's session, so that it holds for the pages they go to next.
 */

const keyOf = (courseId: string): string => `colloquy-published:${courseId}`;

/** Remembers what was published; an earlier one never takes the place of a later one. */
export function pinRevision(courseId: string, { sequence, revisionId }: BaseRevision): void {
  if (sequence <= pinnedSequence(courseId)) return;
  try {
    sessionStorage.setItem(keyOf(courseId), JSON.stringify({ sequence, revisionId }));
  } catch {
    // No storage for this site: the page is made new all the same.
  }
}

/** The sequence that has to be shown at least; 0 where nothing was published here. */
export function pinnedSequence(courseId: string): number {
  try {
    const { sequence } = JSON.parse(sessionStorage.getItem(keyOf(courseId)) ?? "{}") as { sequence?: unknown };
    return typeof sequence === "number" ? sequence : 0;
  } catch {
    return 0;
  }
}
