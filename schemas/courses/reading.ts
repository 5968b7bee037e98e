import { z } from "zod";
import { id, payload } from "../payload.ts";
import { asset, topic } from "./authored.ts";
import { courseOrigin } from "./revision.ts";

/** A topic or collection where it stands, with its address. */
export interface ContentsEntry {
  kind: "topic" | "collection";
  id: string;
  href: string;
  title: string;
  children: ContentsEntry[];
}
const contentsEntry: z.ZodType<ContentsEntry> = z
  .lazy(() =>
    z.strictObject({ kind: z.enum(["topic", "collection"]), id, href: z.string(), title: z.string(), children: z.array(contentsEntry) }),
  )
  .meta({ id: "ContentsEntry" });

/** `GET /api/courses/:courseId`: the live revision with its places and files resolved to addresses. */
export const courseResponse = payload({
  course: z.strictObject({
    courseId: id,
    revisionId: id,
    sequence: z.int().min(1),
    origin: courseOrigin,
    title: z.string(),
    summary: z.string(),
    language: z.string(),
    license: z.string().optional(),
    contents: z.array(contentsEntry),
    /** In reading order. */
    topics: z.array(topic.extend({ href: z.string() })),
    assets: z.array(asset.extend({ href: z.string() })),
  }),
});
export type CourseResponse = z.infer<typeof courseResponse>;
