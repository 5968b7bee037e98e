import { z } from "zod";
import { bounds } from "../bounds.ts";
import { authoredCourse, slug } from "../courses/authored.ts";
import { baseRevision } from "../courses/revision.ts";
import { id, payload, position, time } from "../payload.ts";

/** What the course editor and the service say to each other. Only owners get anything out of it. */

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, "expected a SHA-256 in lower-case hex");

/** The query string of `GET /api/course-editor/session`. */
export const editorSessionQuery = z.strictObject({ course: id });

/**
 * `GET /api/course-editor/session`: asked once per document. Whoever is no owner learns nothing but that: `editable` is false whether the
 * course exists or not. `base` is the live revision, where the course may be edited.
 */
export const editorSessionResponse = payload({ owner: z.boolean(), editable: z.boolean(), courseId: id, base: baseRevision.optional() });
export type EditorSessionResponse = z.infer<typeof editorSessionResponse>;

/** The query string of `GET /api/course-editor/source`; without `revision` the live one. */
export const editorSourceQuery = z.strictObject({ course: id, revision: id.optional() });

/** `GET /api/course-editor/source`: a revision as its authors wrote it. */
export const editorSourceResponse = payload({ course: authoredCourse, sequence: z.int().min(1), revisionId: id });
export type EditorSourceResponse = z.infer<typeof editorSourceResponse>;

/** The query string of `GET /api/course-editor/history`. */
export const editorHistoryQuery = z.strictObject({ course: id });

/** `GET /api/course-editor/history`: who published what when, the latest first. */
export const editorHistoryResponse = payload({
  courseId: id,
  revisions: z
    .array(z.strictObject({ sequence: z.int().min(1), revisionId: id, at: time, publishedBy: id }))
    .max(bounds.publication.history),
});
export type EditorHistoryResponse = z.infer<typeof editorHistoryResponse>;

/**
 * `POST /api/course-editor/tutored`, which changes nothing: how many learners are being tutored on what a draft changes. `changed`: ids of
 * the blocks and topics that are other than they are published, or are there no more.
 */
export const tutoredRequest = payload({ courseId: id, changed: z.array(id).max(bounds.publication.changedPlaces) });

/** A number and nobody's name; a small number is not told. */
export const tutoredResponse = payload({ learners: z.union([z.literal("some"), z.int().min(0)]) });
export type TutoredResponse = z.infer<typeof tutoredResponse>;

const renamedId = z.strictObject({ from: id, to: id });

/** Slugs parted by "/", as an address has them behind the course's id. */
const coursePath = z
  .string()
  .max((bounds.course.slugLength + 1) * (bounds.course.containerDepth + 1))
  .refine((path) => path.split("/").every((part) => slug.safeParse(part).success), "expected slugs parted by /");

/** An address that was published, and the id or the present address of what stood there. Moves the service sees by itself need none. */
const alias = z.strictObject({ from: coursePath, to: z.union([id, coursePath]) });

/**
 * `POST /api/course-editor/publish`, with `publishHeader`. A base that is no longer live is a `stale_base` problem whose `live` says what is. `requestId` stays the same for retries of the same content. `renamedIds` are
 * those of containers that were renamed, with all they hold; reordering, duplicating, converting and deleting emit none.
 */
export const publishRequest = payload({
  requestId: id,
  courseId: id,
  base: baseRevision,
  course: authoredCourse,
  renamedIds: z.array(renamedId).max(bounds.publication.renames),
  aliases: z.array(alias).max(bounds.publication.aliases),
});
export type PublishRequestBody = z.infer<typeof publishRequest>;

export const publishResponse = payload({ sequence: z.int().min(1), revisionId: id, position });
export type PublishResponse = z.infer<typeof publishResponse>;

/** `PUT /api/course-editor/assets/:sha256?course=`: the name is the hash of the bytes that are sent. */
export const editorAssetQuery = z.strictObject({ course: id });
export const editorAssetParameters = z.strictObject({ sha256 });

/**
 * What the course lists for the bytes: their type, told from the bytes themselves. An SVG is written anew without anything active, so
 * that its `sha256` and `bytes` may not be those that were sent.
 */
export const editorAssetResponse = payload({
  sha256,
  bytes: z.int().min(1),
  type: authoredCourse.shape.assets.element.shape.type,
});
export type EditorAssetResponse = z.infer<typeof editorAssetResponse>;
