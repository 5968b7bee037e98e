import type { AuthoredCourse, Collection, Topic } from "./authored.ts";
import { walkCourse } from "./walk.ts";

/**
 * A course with its lists in the one order that says nothing: topics and collections as they are read, files by path. So the same course
 * is the same text, whoever put it together. @param course one that passed validation: what no container holds would be left out
 */
export function inReadingOrder(course: AuthoredCourse): AuthoredCourse {
  const topics: Topic[] = [];
  const collections: Collection[] = [];
  for (const { kind, node } of walkCourse<Topic, Collection>({ ...course, root: course.manifest.root }))
    if (kind === "topic") topics.push(node as Topic);
    else collections.push(node as Collection);
  return { ...course, collections, topics, assets: course.assets.toSorted((a, b) => (a.path < b.path ? -1 : 1)) };
}

/** A course as it is kept once it is published: in reading order, its titles and objectives without the white space around them. */
export function asPublished(course: AuthoredCourse): AuthoredCourse {
  const { manifest, topics, collections, assets } = inReadingOrder(course);
  return {
    manifest: { ...manifest, title: manifest.title.trim() },
    collections: collections.map((one) => ({ ...one, title: one.title.trim() })),
    topics: topics.map((one) => ({
      ...one,
      title: one.title.trim(),
      objectives: one.objectives.map((each) => ({ ...each, text: each.text.trim() })),
    })),
    assets,
  };
}
