import { z } from "zod";
import { bounds } from "../bounds.ts";
import { id, sourceHref } from "../payload.ts";

/** What an answer stands on: the passage of a published revision, frozen at the time of the answer. */
export const citation = z.strictObject({
  number: z.int().min(1).max(bounds.citation.perAnswer),
  sourceId: id,
  href: sourceHref,
  title: z.string().max(bounds.course.titleLength * 2),
  trail: z.array(z.string().max(bounds.course.titleLength)).max(bounds.course.containerDepth + 2),
  revisionId: id,
  quote: z.string().max(bounds.citation.quoteLength),
  /** Marks of this citation, counted from 1 through the answer, whose sentence says what the passage does not; absent when there are none. */
  unsupported: z
    .array(
      z.strictObject({
        mark: z.int().min(1),
        /** Words and numbers of the sentence that the passage lacks; none when the sentence turns the passage's words around. */
        missing: z.array(z.string().max(bounds.citation.missingWordLength)).max(bounds.citation.missingWords),
      }),
    )
    .max(bounds.citation.unsupported)
    .optional(),
});
export type Citation = z.infer<typeof citation>;
