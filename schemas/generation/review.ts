import { z } from "zod";
import { bounds } from "../bounds.ts";
import { reviewProblems } from "../explainers/review.ts";

/** `review`: a separate look at a storyboard against its passages. `scene` counts from 1; 0 means the whole. */
export const generatedReview = z.strictObject({
  approved: z.boolean(),
  findings: z
    .array(
      z.strictObject({
        scene: z.int().min(0).max(bounds.explainer.scenes.max),
        problem: z.enum(reviewProblems),
        detail: z.string().trim().min(1).max(bounds.explainer.findingLength),
      }),
    )
    .max(12),
});
export type GeneratedReview = z.infer<typeof generatedReview>;
