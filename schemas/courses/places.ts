import type { ContainerRef } from "./authored.ts";
import { walkCourse } from "./walk.ts";

/** Where a topic or collection stands in its course. */
export interface Place {
  kind: ContainerRef["kind"];
  /** Slugs from the top, parted by "/". */
  path: string;
  /** Titles of what contains it, the course's own first. */
  trail: string[];
}

/** As much of a course as says where everything stands: an authored one, or the table of a revision. */
export interface CourseOutline {
  manifest: { root: ContainerRef[]; title: string };
  collections: readonly { id: string; slug: string; title: string; children: ContainerRef[] }[];
  topics: readonly { id: string; slug: string; title: string }[];
}

/** The place of every topic and collection, by id, in reading order. @param course one that passed validation. */
export function coursePlaces(course: CourseOutline): Map<string, Place> {
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
