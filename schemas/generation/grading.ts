import { z } from "zod";
import { text } from "./passages.ts";

/**
 * `grading`: for each criterion of a rubric whether a learner's answer meets it. Around the passages the prompt holds
 * `<rubric>["criterion"]</rubric>` and `<answer>"text"</answer>`.
 */
export const generatedGrading = z.strictObject({
  criteria: z
    .array(z.strictObject({ criterion: z.int().min(1).max(6), met: z.boolean(), reason: text }))
    .min(1)
    .max(6),
});
export type GeneratedGrading = z.infer<typeof generatedGrading>;
