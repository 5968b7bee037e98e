import type { AuthoredCourse, Block, Collection, ContainerRef, Topic } from "../authored.ts";
import { convertedBlock } from "./convert.ts";

/**
 * What an author can do with a course, as pure functions: each gives back a new course that shares all it did not touch with the old
 * one, so that undoing is keeping the old. What is asked of something that is not there changes nothing and gives back the same course.
 * Ids are kept whatever moves; only what is new or a copy gets one, from `mint`.
 */

export type Mint = () => string;
type Manifest = AuthoredCourse["manifest"];
/** Fields to set; undefined takes an optional one away. */
type Changes<T, Fixed extends keyof T> = { [Field in keyof Omit<T, Fixed>]?: T[Field] | undefined };

export function editManifest(course: AuthoredCourse, to: Changes<Manifest, "courseId" | "root">): AuthoredCourse {
  return { ...course, manifest: withoutAbsent<Manifest>({ ...course.manifest, ...to } as Manifest) };
}

export function editTopic(course: AuthoredCourse, topicId: string, to: Changes<Topic, "id" | "blocks">): AuthoredCourse {
  return mapTopic(course, topicId, (topic) => withoutAbsent<Topic>({ ...topic, ...to } as Topic));
}

export function editCollection(course: AuthoredCourse, collectionId: string, to: Changes<Collection, "id" | "children">): AuthoredCourse {
  return mapCollection(course, collectionId, (collection) => withoutAbsent<Collection>({ ...collection, ...to } as Collection));
}

export function editBlockSource(course: AuthoredCourse, blockId: string, source: string): AuthoredCourse {
  return mapBlocks(course, blockId, (blocks, at) => blocks.map((block, index) => (index === at ? { ...block, source } : block)));
}

/** @param to where the block stands afterwards in its topic, from 0; what lies outside counts as the nearest end */
export function moveBlock(course: AuthoredCourse, blockId: string, to: number): AuthoredCourse {
  return mapBlocks(course, blockId, (blocks, at) => movedWithin(blocks, at, to));
}

/** Moves a block to another topic (or its own), its id kept. */
export function moveBlockTo(course: AuthoredCourse, blockId: string, topicId: string, to: number): AuthoredCourse {
  const found = findBlock(course, blockId);
  if (!found || !course.topics.some(({ id }) => id === topicId)) return course;
  if (found.topic.id === topicId) return moveBlock(course, blockId, to);
  return insertBlock(deleteBlock(course, blockId), topicId, to, found.block);
}

/** Puts a block into a topic. @param at from 0; what lies outside counts as the nearest end */
export function insertBlock(course: AuthoredCourse, topicId: string, at: number, block: Block): AuthoredCourse {
  return mapTopic(course, topicId, (topic) => ({ ...topic, blocks: topic.blocks.toSpliced(Math.max(at, 0), 0, block) }));
}

/** A copy behind the block, with an id of its own: nothing that readers keep with the one belongs to the other. */
export function duplicateBlock(course: AuthoredCourse, blockId: string, mint: Mint): AuthoredCourse {
  return mapBlocks(course, blockId, (blocks, at, block) => blocks.toSpliced(at + 1, 0, { ...block, id: mint() }));
}

export function deleteBlock(course: AuthoredCourse, blockId: string): AuthoredCourse {
  return mapBlocks(course, blockId, (blocks, at) => blocks.toSpliced(at, 1));
}

/** Converts a block where it can be (`conversionsOf`); its id stays. */
export function convertBlock(course: AuthoredCourse, blockId: string, type: Block["type"]): AuthoredCourse {
  return mapBlocks(course, blockId, (blocks, at, block) => {
    const converted = convertedBlock(block, type);
    return converted ? blocks.with(at, converted) : blocks;
  });
}

/** Where something is contained: a collection's id, or null for the course itself. */
export type Container = string | null;

/** The topics and collections a container holds. */
export function childrenOf(course: AuthoredCourse, container: Container): readonly ContainerRef[] {
  if (container === null) return course.manifest.root;
  return course.collections.find(({ id }) => id === container)?.children ?? [];
}

/** What contains a topic or collection; undefined for what is in no container. */
export function containerOf(course: AuthoredCourse, id: string): Container | undefined {
  if (course.manifest.root.some((ref) => ref.id === id)) return null;
  return course.collections.find(({ children }) => children.some((ref) => ref.id === id))?.id;
}

/**
 * Moves a topic or collection, with all it holds, to a place in a container: its own or another. A collection is not moved into itself
 * or what it holds. @param to where it stands afterwards, from 0
 */
export function moveContained(course: AuthoredCourse, id: string, container: Container, to: number): AuthoredCourse {
  const from = containerOf(course, id);
  const ref = from === undefined ? undefined : childrenOf(course, from).find((one) => one.id === id);
  if (!ref || from === undefined || (container !== null && !course.collections.some((one) => one.id === container))) return course;
  if (ref.kind === "collection" && container !== null && within(course, id).has(container)) return course;
  const taken = mapChildren(course, from, (refs) => refs.filter((one) => one.id !== id));
  return mapChildren(taken, container, (refs) => refs.toSpliced(Math.max(to, 0), 0, ref));
}

export function addTopic(course: AuthoredCourse, container: Container, at: number, topic: Topic): AuthoredCourse {
  const added = { ...course, topics: [...course.topics, topic] };
  return mapChildren(added, container, (refs) => refs.toSpliced(Math.max(at, 0), 0, { kind: "topic", id: topic.id }));
}

export function addCollection(course: AuthoredCourse, container: Container, at: number, collection: Collection): AuthoredCourse {
  const added = { ...course, collections: [...course.collections, collection] };
  return mapChildren(added, container, (refs) => refs.toSpliced(Math.max(at, 0), 0, { kind: "collection", id: collection.id }));
}

/** Takes out a topic, or a collection with everything it holds. Links that led there are errors until they are mended. */
export function deleteContained(course: AuthoredCourse, id: string): AuthoredCourse {
  const gone = within(course, id);
  const from = containerOf(course, id);
  const rest = {
    ...course,
    topics: course.topics.filter((topic) => !gone.has(topic.id)),
    collections: course.collections.filter((collection) => !gone.has(collection.id)),
  };
  return from === undefined ? rest : mapChildren(rest, from, (refs) => refs.filter((ref) => ref.id !== id));
}

/** The ids of a topic or collection and of all it contains, itself among them. */
export function within(course: AuthoredCourse, id: string): Set<string> {
  const found = new Set([id]);
  // A set grows while it is walked, so each collection that is found is looked into once.
  for (const one of found) for (const child of course.collections.find((each) => each.id === one)?.children ?? []) found.add(child.id);
  return found;
}

export function findBlock(course: AuthoredCourse, blockId: string): { topic: Topic; block: Block; index: number } | null {
  for (const topic of course.topics) {
    const index = topic.blocks.findIndex(({ id }) => id === blockId);
    const block = topic.blocks[index];
    if (block) return { topic, block, index };
  }
  return null;
}

function mapTopic(course: AuthoredCourse, topicId: string, change: (topic: Topic) => Topic): AuthoredCourse {
  const at = course.topics.findIndex(({ id }) => id === topicId);
  const topic = course.topics[at];
  return topic ? { ...course, topics: course.topics.with(at, change(topic)) } : course;
}

function mapCollection(course: AuthoredCourse, collectionId: string, change: (collection: Collection) => Collection): AuthoredCourse {
  const at = course.collections.findIndex(({ id }) => id === collectionId);
  const collection = course.collections[at];
  return collection ? { ...course, collections: course.collections.with(at, change(collection)) } : course;
}

function mapChildren(course: AuthoredCourse, container: Container, change: (refs: ContainerRef[]) => ContainerRef[]): AuthoredCourse {
  if (container === null) return { ...course, manifest: { ...course.manifest, root: change(course.manifest.root) } };
  return mapCollection(course, container, (collection) => ({ ...collection, children: change(collection.children) }));
}

function mapBlocks(
  course: AuthoredCourse,
  blockId: string,
  change: (blocks: Block[], at: number, block: Block) => Block[],
): AuthoredCourse {
  const found = findBlock(course, blockId);
  if (!found) return course;
  const blocks = change(found.topic.blocks, found.index, found.block);
  return blocks === found.topic.blocks ? course : mapTopic(course, found.topic.id, (topic) => ({ ...topic, blocks }));
}

function movedWithin<T>(list: T[], from: number, to: number): T[] {
  const place = Math.min(Math.max(to, 0), list.length - 1);
  const moved = list[from];
  return moved === undefined || place === from ? list : list.toSpliced(from, 1).toSpliced(place, 0, moved);
}

/** Fields set to undefined are left out: "no licence" is the absence of one. */
function withoutAbsent<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;
}
