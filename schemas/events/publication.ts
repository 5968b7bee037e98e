import { z } from "zod";
import { courseOrigin } from "../courses/revision.ts";
import { id } from "../payload.ts";

/** Stream `publication-<courseId>`: the commit point of a revision. The texts lie in the object store, never here. */
export const coursePublished = z.object({
  schemaVersion: z.literal(1),
  courseId: id,
  sequence: z.int().min(1),
  revisionId: id,
  /** SHA-256 over everything its authors wrote, without sequence and history: the same content, the same hash. */
  contentHash: z.string().regex(/^[0-9a-f]{64}$/),
  base: z.object({ sequence: z.int(), revisionId: id }).nullable(),
  title: z.string(),
  summary: z.string(),
  language: z.string(),
  origin: courseOrigin,
  topics: z.int().min(0),
  publishedBy: id,
});
export type CoursePublished = z.infer<typeof coursePublished>;

export type PublicationEvent = { type: "CoursePublished"; data: CoursePublished };
export const publicationStreamPrefix = "publication-";
export const publicationStream = (courseId: string): string => `publication-${courseId}`;
