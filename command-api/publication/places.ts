import type { AuthoredCourse, ContainerRef } from "@colloquy/schemas/courses/authored.ts";
import { walkCourse } from "@colloquy/schemas/courses/walk.ts";

/** Where a topic or collection stands in its course. */
export interface Place {
  kind: ContainerRef["kind"];
  /** Slugs from the top, parted by "/". */
  path: string;
  /** Titles of what contains it, the course's own first. */
  trail: string[];
}

/** The place of every topic and collection, by id, in reading order. @param course one that passed validation. */
export function coursePlaces(course: Pick<AuthoredCourse, "manifest" | "collections" | "topics">): Map<string, Place> {
  const places = new Map<string, Place>();
  const { root, title } = course.manifest;
  for (const { kind, id, node, above } of walkCourse({ ...course, root }))
    places.set(id, {
      kind,
      path: [...above, node].map(({ slug }) => slug).join("/"),
      trail: [title, ...above.map((collection) => collection.title)],
    });
  return places;
}
