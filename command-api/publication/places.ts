import type { AuthoredCourse, ContainerRef } from "@colloquy/schemas/courses/authored.ts";

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
  const collections = new Map(course.collections.map((collection) => [collection.id, collection]));
  const topics = new Map(course.topics.map((topic) => [topic.id, topic]));
  const places = new Map<string, Place>();
  const walk = (refs: ContainerRef[], path: string[], trail: string[]): void => {
    for (const { kind, id } of refs) {
      const found = kind === "topic" ? topics.get(id) : collections.get(id);
      if (!found || places.has(id)) continue;
      const own = [...path, found.slug];
      places.set(id, { kind, path: own.join("/"), trail });
      if (kind === "collection") walk(collections.get(id)?.children ?? [], own, [...trail, found.title]);
    }
  };
  walk(course.manifest.root, [], [course.manifest.title]);
  return places;
}
