import { z } from "zod";
import { courseOrigin } from "../courses/revision.ts";
import { defineEvents, type EventOf } from "../define-events.ts";
import { id } from "../payload.ts";

/** Stream `publication-<courseId>`: the commit point of a revision. The texts are in the object store, never here. */
export const publicationEvents = defineEvents({
  CoursePublished: {
    version: 1,
    data: z.object({
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
    }),
  },
});
export type PublicationEvent = EventOf<typeof publicationEvents>;
export type CoursePublished = PublicationEvent["data"];

export const publicationStreamPrefix = "publication-";
export const publicationStream = (courseId: string): string => publicationStreamPrefix + courseId;
