import { z } from "zod";
import { bounds } from "../bounds.ts";
import { asset, blockType, containerRef } from "../courses/authored.ts";
import { baseRevision } from "../courses/revision.ts";
import { id, time } from "../payload.ts";
import { type CourseDraft, draftVersion, mostSent, withSourcePaths } from "./draft.ts";

/** A text as far as its author has come with it: empty, too long, or not what its field wants yet. */
const text = z.string().max(bounds.courseDraft.textLength);
const many = <Part extends z.ZodType>(part: Part) => z.array(part).max(bounds.courseDraft.parts);
const page = { id, slug: text, title: text, summary: text.optional() };

/** The shape of a course that is being written. What is wrong with its texts is found when it is to be published, by `checkCourse`. */
const draftedCourse = z.strictObject({
  manifest: z.strictObject({
    courseId: id,
    title: text,
    summary: text,
    language: text,
    license: text.optional(),
    root: many(containerRef),
  }),
  collections: many(z.strictObject({ ...page, children: many(containerRef) })),
  topics: many(
    z.strictObject({
      ...page,
      objectives: many(z.strictObject({ id, text })),
      blocks: many(z.strictObject({ id, type: blockType, source: text })),
    }),
  ),
  assets: many(asset),
});

const storedDraft = z.strictObject({
  draftVersion: z.literal(draftVersion),
  courseId: id,
  accountId: id,
  base: baseRevision,
  course: draftedCourse,
  renamedIds: many(z.strictObject({ from: id, to: id })),
  savedAt: time,
  version: z.int().min(0),
  requestId: id.nullable(),
  sent: z.array(z.string().max(64)).max(mostSent).optional(),
  receipt: baseRevision.nullable(),
});

/**
 * Reads a draft from a file somebody uploads, or what another version of the editor stored. Loads zod: import it when it is needed.
 * @returns null for what is no draft
 */
export function readStoredDraft(value: unknown): CourseDraft | null {
  const read = storedDraft.safeParse(value);
  return read.success && read.data.course.manifest.courseId === read.data.courseId
    ? { ...read.data, course: withSourcePaths(read.data.course) }
    : null;
}
