import type { BaseRevision } from "@colloquy/schemas/courses/revision.ts";

/**
 * The revision that an owner published last in this tab: pages show it or a later one, whichever server answers. Stored for the tab's session,
 * so that it also applies to the next pages.
 */

const keyOf = (courseId: string): string => `colloquy-published:${courseId}`;

/** Pins a published revision unless a later one is pinned. */
export function pinRevision(courseId: string, { sequence, revisionId }: BaseRevision): void {
  if (sequence <= pinnedSequence(courseId)) return;
  try {
    sessionStorage.setItem(keyOf(courseId), JSON.stringify({ sequence, revisionId }));
  } catch {
    // Without storage this page is still refreshed.
  }
}

/** The least sequence to show; 0 if nothing was published in this tab. */
export function pinnedSequence(courseId: string): number {
  try {
    const { sequence } = JSON.parse(sessionStorage.getItem(keyOf(courseId)) ?? "{}") as { sequence?: unknown };
    return typeof sequence === "number" ? sequence : 0;
  } catch {
    return 0;
  }
}
