import { z } from "zod";
import { bounds } from "../bounds.ts";
import { id } from "../payload.ts";

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
] as const;
export const blockType = z.enum(blockTypes);
export type BlockType = z.infer<typeof blockType>;

/** One segment of a page's address: lower-case letters and digits, parted by single hyphens. */
export const slug = z
  .string()
  .max(bounds.course.slugLength)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "expected lower-case letters and digits, parted by hyphens");

const title = z.string().trim().min(1).max(bounds.course.titleLength);
const summary = z.string().max(bounds.course.summaryLength);

export const containerRef = z.strictObject({ kind: z.enum(["topic", "collection"]), id });
export type ContainerRef = z.infer<typeof containerRef>;

export const block = z.strictObject({ id, type: blockType, source: z.string().max(bounds.course.blockLength) });
export type Block = z.infer<typeof block>;

export const objective = z.strictObject({ id, text: z.string().trim().min(1).max(bounds.course.objectiveLength) });
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
    .min(1)
    .max(bounds.course.assetPathLength)
    .regex(/^(?!\/)(?!.*(?:^|\/)\.\.?(?:\/|$))[\p{L}\p{N} ._/@+()-]+$/u, "expected a relative path inside the course"),
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
    language: z.string().regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/, "expected a language tag such as en or pt-BR"),
    license: z.string().max(200).optional(),
    root: z.array(containerRef).max(bounds.course.topics),
  }),
  collections: z.array(collection).max(bounds.course.collections),
  topics: z.array(topic).max(bounds.course.topics),
  assets: z.array(asset).max(bounds.course.assets),
});
export type AuthoredCourse = z.infer<typeof authoredCourse>;
