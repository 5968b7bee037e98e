import { z } from "zod";
import { text } from "./passages.ts";

export const reviewProblems = ["unsupported", "misquoted", "unclear", "too_long", "off_topic"] as const;

/** `review`: a separate look at a storyboard against its passages. `scene` counts from 1; 0 means the whole. */
export const generatedReview = z.strictObject({
  approved: z.boolean(),
  findings: z.array(z.strictObject({ scene: z.int().min(0).max(9), problem: z.enum(reviewProblems), detail: text })).max(12),
});
export type GeneratedReview = z.infer<typeof generatedReview>;
