import type { ContainerRef } from "./authored.ts";

/** A topic or collection where a walk meets it. */
export interface Met<Topic, Collection> {
  kind: ContainerRef["kind"];
  id: string;
  node: Topic | Collection;
  /** The collections that contain it, outermost first. */
  above: Collection[];
}

/** Every topic and collection that the root leads to, each once, in reading order: a collection before what it contains. */
export function* walkCourse<Topic extends { id: string }, Collection extends { id: string; children: ContainerRef[] }>(course: {
  root: ContainerRef[];
  topics: readonly Topic[];
  collections: readonly Collection[];
}): Generator<Met<Topic, Collection>> {
  const topics = new Map(course.topics.map((topic) => [topic.id, topic]));
  const collections = new Map(course.collections.map((collection) => [collection.id, collection]));
  const met = new Set<string>();
  function* below(refs: ContainerRef[], above: Collection[]): Generator<Met<Topic, Collection>> {
    for (const { kind, id } of refs) {
      const collection = kind === "collection" ? collections.get(id) : undefined;
      const node = collection ?? (kind === "topic" ? topics.get(id) : undefined);
      if (!node || met.has(id)) continue;
      met.add(id);
      yield { kind, id, node, above };
      if (collection) yield* below(collection.children, [...above, collection]);
    }
  }
  yield* below(course.root, []);
}
