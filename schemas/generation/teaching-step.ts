import { z } from "zod";
import { longText, passages, shortText, text } from "./passages.ts";

/** `teachingStep`: one step taught, in Markdown with `[s1]` after each sentence that stands on a passage. */
export const generatedTeachingStep = z.strictObject({
  title: shortText,
  markdown: longText,
  keyPoints: z.array(text).min(1).max(5),
  passages,
});
export type GeneratedTeachingStep = z.infer<typeof generatedTeachingStep>;
