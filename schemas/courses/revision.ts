import { z } from "zod";
import { bounds } from "../bounds.ts";
import { id, payload, position, time } from "../payload.ts";
import { sourceKind } from "../sources/references.ts";
import { asset, collection, containerRef, topic } from "./authored.ts";

/**
 * The objects of a published course under `courses/<courseId>/`:
 * `live.json` (pointer), `revisions/<revisionId>/{manifest,identity,search}.json`, `units/<sha256>.json`, `assets/<sha256>`.
 * Everything but the pointer is immutable and named by its content.
 */

/** Where a course's text comes from: published through the object store, or shipped with the program and read-only. */
export const courseOrigins = ["object-store", "compiled"] as const;
export const courseOrigin = z.enum(courseOrigins);
export type CourseOrigin = z.infer<typeof courseOrigin>;

/** `live.json`: the only mutable object. */
export const livePointer = payload({ courseId: id, sequence: z.int().min(1), revisionId: id });
export type LivePointer = z.infer<typeof livePointer>;

/** A revision by its place in the course's history and its name: what an author began from, or what is live. */
export const baseRevision = z.strictObject({ sequence: z.int().min(1), revisionId: id });
export type BaseRevision = z.infer<typeof baseRevision>;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** `manifest.json`: the table of a revision. Topics and collections are named by the hash of their unit. */
export const revisionManifest = payload({
  courseId: id,
  sequence: z.int().min(1),
  title: z.string(),
  summary: z.string(),
  language: z.string(),
  license: z.string().optional(),
  origin: courseOrigin,
  root: z.array(containerRef),
  collections: z.array(
    z.strictObject({
      id,
      slug: z.string(),
      title: z.string(),
      summary: z.string().optional(),
      children: z.array(containerRef),
      unit: sha256,
    }),
  ),
  topics: z.array(z.strictObject({ id, slug: z.string(), title: z.string(), summary: z.string().optional(), unit: sha256 })),
  assets: z.array(asset),
});
export type RevisionManifest = z.infer<typeof revisionManifest>;

/** `units/<sha256>.json`: one authored topic or collection. */
export const revisionUnit = z.discriminatedUnion("kind", [
  payload({ kind: z.literal("topic"), topic }),
  payload({ kind: z.literal("collection"), collection }),
]);
export type RevisionUnit = z.infer<typeof revisionUnit>;

/**
 * `identity.json`: every id ever published, live or tombstone, with the aliases of moved addresses and the renames.
 * `since` is the sequence since which an entry has its state. An alias leads from a path that was once live (slugs parted by "/",
 * without the course) to the id of the topic or collection that stood there. A rename leads from an id to its present one.
 */
export const identityIndex = payload({
  courseId: id,
  entries: z.array(
    z.strictObject({
      id,
      kind: z.enum(["topic", "collection", "block", "objective"]),
      state: z.enum(["live", "tombstone"]),
      parent: id.nullable(),
      since: z.int().min(1),
    }),
  ),
  aliases: z.array(z.strictObject({ from: z.string(), to: z.string() })),
  renames: z.array(z.strictObject({ from: id, to: id })),
});
export type IdentityIndex = z.infer<typeof identityIndex>;

/** A canonical place in a revision: the course, a collection, a topic or a block. */
export const source = z.strictObject({
  sourceId: id,
  kind: sourceKind,
  /** The id of the course, collection, topic or block itself. */
  entityId: id,
  topicId: id.nullable(),
  href: z.string(),
  title: z.string(),
  trail: z.array(z.string()),
  /** Who alone is meant to read the text; everybody if absent. */
  audience: z.literal("instructors").optional(),
});
export type Source = z.infer<typeof source>;

/** A piece of one block's plain text: what is searched, given to a model, and quoted. */
export const passage = z.strictObject({
  passageId: id,
  sourceId: id,
  /** Nearest heading above the text, or the topic's title. */
  heading: z.string(),
  text: z.string().max(bounds.course.passageLength),
  /** What the block is, for ranking: prose before an exercise's solution. */
  role: z.enum(["prose", "key-points", "callout", "code", "figure", "math", "table", "exercise", "solution", "objectives"]),
});
export type Passage = z.infer<typeof passage>;

/** `search.json`: the validated search index of a revision. */
export const searchIndex = payload({
  courseId: id,
  revisionId: id,
  language: z.string(),
  /** Whether `audience` is known; absent from revisions published before it was, whose readers find it out. */
  audienceMarked: z.literal(true).optional(),
  sources: z.array(source),
  passages: z.array(passage),
});
export type SearchIndex = z.infer<typeof searchIndex>;

/** First line of `vectors/<model>/<topic>/<name>`; a scale and the codes of each digest's vector follow. */
export const vectorSetHeader = payload({
  dimensions: z.int().min(1).max(16_384),
  digests: z.array(z.string().regex(/^[\w-]{22}$/)),
});
export type VectorSetHeader = z.infer<typeof vectorSetHeader>;

/** `search/embeddings.json`: the model that the vectors of all live revisions were last complete for. */
export const activeEmbeddings = payload({ key: z.string().regex(/^[A-Za-z0-9._-]{1,100}$/), name: z.string().max(200) });
export type ActiveEmbeddings = z.infer<typeof activeEmbeddings>;

/** `GET /api/courses/:courseId/revision`: the public three-second check. */
export const revisionResponse = payload({ courseId: id, sequence: z.int().min(1), revisionId: id });
export type RevisionResponse = z.infer<typeof revisionResponse>;

/**
 * `GET /api/courses/:courseId/identity`: where to look for what somebody keeps with a course. `pages` leads from keys of pages that moved
 * to present ones (`pageKey`), `renames` from ids to present ones; what is `deleted` may come back.
 */
export const identityResponse = payload({
  courseId: id,
  sequence: z.int().min(1),
  revisionId: id,
  pages: z.array(z.strictObject({ from: z.string(), to: z.string() })),
  renames: z.array(z.strictObject({ from: id, to: id })),
  deleted: z.array(id),
});
export type IdentityResponse = z.infer<typeof identityResponse>;

/** What the catalogue knows of a course without opening its revision. */
export const courseListing = z.strictObject({
  courseId: id,
  title: z.string(),
  summary: z.string(),
  language: z.string(),
  origin: courseOrigin,
  sequence: z.int().min(1),
  revisionId: id,
  topics: z.int().min(0),
  publishedAt: time,
  position,
});
export type CourseListing = z.infer<typeof courseListing>;

/** `GET /api/courses`: every live course, as the catalogue lists them. */
export const coursesResponse = payload({ courses: z.array(courseListing.omit({ position: true })) });
export type CoursesResponse = z.infer<typeof coursesResponse>;
