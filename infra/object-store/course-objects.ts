import { instructorsParts, markAudience } from "@colloquy/schemas/courses/audience.ts";
import type { AuthoredCourse, Collection, Topic } from "@colloquy/schemas/courses/authored.ts";
import {
  type ActiveEmbeddings,
  activeEmbeddings,
  type IdentityIndex,
  identityIndex,
  type LivePointer,
  livePointer,
  type RevisionManifest,
  type RevisionUnit,
  revisionManifest,
  revisionUnit,
  type SearchIndex,
  searchIndex,
} from "@colloquy/schemas/courses/revision.ts";
import type { z } from "zod";
import type { ObjectStore } from "./store.ts";

/** Keys of a course's objects. All except `live.json` and `embeddings.json` are named by their content and never change. */
export const courseKeys = {
  pointer: (courseId: string): string => `courses/${courseId}/live.json`,
  manifest: (courseId: string, revisionId: string): string => `courses/${courseId}/revisions/${revisionId}/manifest.json`,
  identity: (courseId: string, revisionId: string): string => `courses/${courseId}/revisions/${revisionId}/identity.json`,
  search: (courseId: string, revisionId: string): string => `courses/${courseId}/revisions/${revisionId}/search.json`,
  units: (courseId: string): string => `courses/${courseId}/units/`,
  unit: (courseId: string, sha256: string): string => `courses/${courseId}/units/${sha256}.json`,
  assets: (courseId: string): string => `courses/${courseId}/assets/`,
  asset: (courseId: string, sha256: string): string => `courses/${courseId}/assets/${sha256}`,
  /** The vectors of a topic's texts, by the model that made them and the content. */
  vectors: (courseId: string, model: string, topic: string, name: string): string =>
    `courses/${courseId}/vectors/${model}/${topic}/${name}`,
  /** Of all courses, and the only other object that changes. */
  embeddings: "search/embeddings.json",
} as const;

/** An object of a published revision is missing or invalid: the store lost data or was tampered with. */
export class DamagedRevision extends Error {
  override name = "DamagedRevision";
}

async function readObject<Type extends z.ZodType>(
  store: Pick<ObjectStore, "get">,
  key: string,
  schema: Type,
): Promise<{ value: z.output<Type>; etag: string } | null> {
  const found = await store.get(key);
  if (!found) return null;
  try {
    return { value: schema.parse(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(found.bytes))), etag: found.etag };
  } catch (cause) {
    throw new DamagedRevision(`The object ${key} cannot be read`, { cause });
  }
}

async function requireObject<Type extends z.ZodType>(store: ObjectStore, key: string, schema: Type): Promise<z.output<Type>> {
  const found = await readObject(store, key, schema);
  if (!found) throw new DamagedRevision(`The object ${key} is missing`);
  return found.value;
}

/** The pointer to the live revision, with the etag that moves it; null for a course that was never published. */
export function readPointer(store: ObjectStore, courseId: string): Promise<{ value: LivePointer; etag: string } | null> {
  return readObject(store, courseKeys.pointer(courseId), livePointer);
}

/** The model that the vectors of all live revisions were last complete for; null if they never were. */
export async function readActiveEmbeddings(store: Pick<ObjectStore, "get">): Promise<ActiveEmbeddings | null> {
  return (await readObject(store, courseKeys.embeddings, activeEmbeddings))?.value ?? null;
}

/** @throws {DamagedRevision} also for a revision that was never published; so do the readers below. */
export function readManifest(store: ObjectStore, courseId: string, revisionId: string): Promise<RevisionManifest> {
  return requireObject(store, courseKeys.manifest(courseId, revisionId), revisionManifest);
}

export function readUnit(store: ObjectStore, courseId: string, sha256: string): Promise<RevisionUnit> {
  return requireObject(store, courseKeys.unit(courseId, sha256), revisionUnit);
}

export function readIdentity(store: ObjectStore, courseId: string, revisionId: string): Promise<IdentityIndex> {
  return requireObject(store, courseKeys.identity(courseId, revisionId), identityIndex);
}

/** The search index of a revision, with its audience marked also if it was published before indexes had that. */
export async function readSearchIndex(store: ObjectStore, courseId: string, revisionId: string): Promise<SearchIndex> {
  const index = await requireObject(store, courseKeys.search(courseId, revisionId), searchIndex);
  if (index.audienceMarked) return index;
  const withoutBlocks = ({ id, slug, title }: RevisionManifest["topics"][number]): Topic => ({
    id,
    slug,
    title,
    objectives: [],
    blocks: [],
  });
  const course = await readAuthoredCourse(store, courseId, revisionId, withoutBlocks);
  return markAudience(index, instructorsParts(course));
}

/**
 * Checks that a revision's own objects exist.
 * @throws {DamagedRevision} naming a missing one
 */
export async function assertRevisionComplete(store: ObjectStore, courseId: string, revisionId: string): Promise<void> {
  await readManifest(store, courseId, revisionId);
  await readIdentity(store, courseId, revisionId);
  await readSearchIndex(store, courseId, revisionId);
}

/**
 * A revision as its authors wrote it, from its manifest and units.
 * @param lost replaces a topic whose unit is missing or unreadable; without it that is an error
 */
export async function readAuthoredCourse(
  store: ObjectStore,
  courseId: string,
  revisionId: string,
  lost?: (topic: RevisionManifest["topics"][number]) => Topic,
): Promise<AuthoredCourse> {
  const manifest = await readManifest(store, courseId, revisionId);
  const topics: Topic[] = [];
  for (const topic of manifest.topics) {
    try {
      const found = await readUnit(store, courseId, topic.unit);
      if (found.kind !== "topic" || found.topic.id !== topic.id)
        throw new DamagedRevision(`The unit ${topic.unit} is not the topic ${topic.id}`);
      topics.push(found.topic);
    } catch (error) {
      if (!lost || !(error instanceof DamagedRevision)) throw error;
      topics.push(lost(topic));
    }
  }
  const collections: Collection[] = manifest.collections.map(({ unit: _, ...collection }) => collection);
  const { title, summary, language, license, root, assets } = manifest;
  return {
    manifest: { courseId, title, summary, language, ...(license !== undefined && { license }), root },
    collections,
    topics,
    assets,
  };
}
