import { z } from "zod";
import { bounds } from "../bounds.ts";
import { id, sourceHref } from "../payload.ts";

/** A source of an answer: the passage of a published revision at the time of the answer. */
export const citation = z.strictObject({
  number: z.int().min(1).max(bounds.citation.perAnswer),
  sourceId: id,
  href: sourceHref,
  title: z.string().max(bounds.course.titleLength * 2),
  trail: z.array(z.string().max(bounds.course.titleLength)).max(bounds.course.containerDepth + 2),
  revisionId: id,
  quote: z.string().max(bounds.citation.quoteLength),
  /** The marks of this citation, counted from 1 through the answer, whose sentence the passage does not support; absent without any. */
  unsupported: z
    .array(
      z.strictObject({
        mark: z.int().min(1),
        /** Words and numbers of the sentence that the passage lacks; none if the sentence contradicts the passage. */
        missing: z.array(z.string().max(bounds.citation.missingWordLength)).max(bounds.citation.missingWords),
      }),
    )
    .max(bounds.citation.unsupported)
    .optional(),
});
export type Citation = z.infer<typeof citation>;

/** A citation of an earlier answer. It may lead to any address: pages check an address before they make a link of it. */
export const recordedCitation = citation.extend({ href: z.string() });
