import { z } from "zod";
import { bounds } from "../bounds.ts";
import { id } from "../payload.ts";
import { isSeen, textRules } from "./field-rules.ts";
import { remarkTexts } from "./remarks.ts";

export const blockTypes = [
  "core.theory",
  "core.key-points",
  "core.callout",
  "core.code",
  "core.figure",
  "core.diagram",
  "core.math",
  "core.table",
  "core.exercise",
  "core.question",
] as const;
export const blockType = z.enum(blockTypes);
export type BlockType = z.infer<typeof blockType>;

/** One segment of a page's address: lower-case letters and digits, parted by single hyphens. */
export const slug = z.string().max(textRules.slug.max).regex(textRules.slug.pattern, textRules.slug.expected.message);

const title = z.string().trim().min(textRules.title.min).max(textRules.title.max).refine(isSeen, remarkTexts["text-empty"]);
const summary = z.string().max(textRules.summary.max);

export const containerRef = z.strictObject({ kind: z.enum(["topic", "collection"]), id });
export type ContainerRef = z.infer<typeof containerRef>;

export const block = z.strictObject({ id, type: blockType, source: z.string().max(textRules.source.max) });
export type Block = z.infer<typeof block>;

export const objective = z.strictObject({
  id,
  text: z.string().trim().min(textRules.objective.min).max(textRules.objective.max).refine(isSeen, remarkTexts["text-empty"]),
});
export type Objective = z.infer<typeof objective>;

export const topic = z.strictObject({
  id,
  slug,
  title,
  summary: summary.optional(),
  objectives: z.array(objective).max(bounds.course.objectives),
  blocks: z.array(block).max(bounds.course.blocksPerTopic),
});
export type Topic = z.infer<typeof topic>;

export const collection = z.strictObject({
  id,
  slug,
  title,
  summary: summary.optional(),
  children: z.array(containerRef).max(bounds.course.topics),
});
export type Collection = z.infer<typeof collection>;

/** A file a course shows, by the path its authors use. `path` never leaves the course: no "..", no leading "/". */
export const asset = z.strictObject({
  path: z
    .string()
    .min(textRules.assetPath.min)
    .max(textRules.assetPath.max)
    .regex(textRules.assetPath.pattern, textRules.assetPath.expected.message),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.int().min(0).max(bounds.course.assetBytes),
  type: z.enum(["image/svg+xml", "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"]),
});
export type Asset = z.infer<typeof asset>;

/** A course as its authors write it: source texts and source paths only, nothing resolved. */
export const authoredCourse = z.strictObject({
  manifest: z.strictObject({
    courseId: id,
    title,
    summary,
    language: z.string().max(textRules.language.max).regex(textRules.language.pattern, textRules.language.expected.message),
    license: z.string().max(textRules.license.max).optional(),
    root: z.array(containerRef).max(bounds.course.topics),
  }),
  collections: z.array(collection).max(bounds.course.collections),
  topics: z.array(topic).max(bounds.course.topics),
  assets: z.array(asset).max(bounds.course.assets),
});
export type AuthoredCourse = z.infer<typeof authoredCourse>;
