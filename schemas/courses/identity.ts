/** How what people keep with a course (progress, notes, review, drawings) finds its place after the course has changed. */

/** Follows renames: from an id that something was kept under to the one its place has now. @param renames as the identity index has them */
export function followRenames(renames: readonly { from: string; to: string }[]): (id: string) => string {
  const next = new Map(renames.map(({ from, to }) => [from, to]));
  return (id) => next.get(id) ?? id;
}

/** The key of a page of a course: its address without `/courses/`, so `linear-maps/arrows/vectors`. */
export const pageKey = (courseId: string, path: string): string => (path ? `${courseId}/${path}` : courseId);
