import type { AuthoredCourse } from "./authored.ts";
import { coursePlaces } from "./places.ts";

/** How what people keep with a course (progress, notes, review, drawings) finds its place after the course has changed. */

/** Follows renames: from an id that something was kept under to the one its place has now. @param renames as the identity index has them */
export function followRenames(renames: readonly { from: string; to: string }[]): (id: string) => string {
  const next = new Map(renames.map(({ from, to }) => [from, to]));
  return (id) => next.get(id) ?? id;
}

/** The key of a page of a course: its address without `/courses/`, so `linear-maps/arrows/vectors`. */
export const pageKey = (courseId: string, path: string): string => (path ? `${courseId}/${path}` : courseId);

/**
 * The pages that have another key after a change of addresses: what is kept under `from` belongs under `to`.
 * @param present follows ids that were renamed in the same change
 */
export function movedPages(
  before: AuthoredCourse,
  after: AuthoredCourse,
  present: (id: string) => string = (id) => id,
): { from: string; to: string }[] {
  const { courseId } = after.manifest;
  const now = coursePlaces(after);
  return [...coursePlaces(before)].flatMap(([id, { path }]) => {
    const to = now.get(present(id))?.path;
    return to === undefined || to === path ? [] : [{ from: pageKey(courseId, path), to: pageKey(courseId, to) }];
  });
}
