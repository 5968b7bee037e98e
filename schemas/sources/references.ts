import { z } from "zod";
import { bounds } from "../bounds.ts";
import { id, payload, readQuery } from "../payload.ts";

export const sourceKinds = ["course", "collection", "topic", "block"] as const;
export const sourceKind = z.enum(sourceKinds);
export type SourceKind = z.infer<typeof sourceKind>;

/** A canonical place in a live revision, found by `GET /api/ai/references?q=`. */
export const referenceResult = z.strictObject({
  sourceId: id,
  kind: sourceKind,
  href: z.string(),
  title: z.string(),
  trail: z.array(z.string()),
  courseId: id,
  revisionId: id,
  excerpt: z.string().max(bounds.references.excerptLength),
});
export type ReferenceResult = z.infer<typeof referenceResult>;

export const referencesResponse = payload({ references: z.array(referenceResult).max(bounds.references.results) });
export type ReferencesResponse = z.infer<typeof referencesResponse>;

/** The query string of `GET /api/ai/references`. Empty `q`: recently published courses and topics. */
export const referencesQuery = readQuery.extend({ q: z.string().max(bounds.references.queryLength).default("") });

/** The query string of `GET /api/courses/source`: an address on this site. */
export const sourceQuery = readQuery.extend({ href: z.string().min(1).max(bounds.ask.hrefLength) });

/** `GET /api/courses/source`: the place in a live revision that an address leads to. */
export const sourceResponse = payload({ source: referenceResult });
export type SourceResponse = z.infer<typeof sourceResponse>;
