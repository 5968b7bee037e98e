import { z } from "zod";
import { bounds } from "../bounds.ts";
import { id, localHref } from "../payload.ts";

/** What an answer stands on: the passage of a published revision, frozen at the time of the answer. */
export const citation = z.strictObject({
  number: z.int().min(1).max(bounds.citation.perAnswer),
  sourceId: id,
  href: localHref,
  title: z.string().max(bounds.course.titleLength * 2),
  trail: z.array(z.string().max(bounds.course.titleLength)).max(bounds.course.containerDepth + 2),
  revisionId: id,
  quote: z.string().max(bounds.citation.quoteLength),
});
export type Citation = z.infer<typeof citation>;
