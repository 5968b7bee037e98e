import { z } from "zod";
import { objectiveId, passages, repeated, shortText, text } from "./passages.ts";

const stepKey = z.string().regex(/^p[1-9][0-9]?$/, "expected the key of a step, such as p1");

export const generatedStep = z.strictObject({
  key: stepKey,
  title: shortText,
  objectiveIds: z.array(objectiveId).max(6),
  passages,
  /** Keys of steps that come before. */
  prerequisites: z.array(stepKey).max(8),
  reason: text,
});

/** `plan`: the learning path, prerequisites first. */
export const generatedPlan = z.strictObject({ steps: z.array(generatedStep).min(1).max(16) }).superRefine((plan, context) => {
  for (const index of repeated(plan.steps.map((step) => step.key)))
    context.addIssue({ code: "custom", message: "repeats another step's key", path: ["steps", index, "key"] });
  const before = new Set<string>();
  for (const [index, step] of plan.steps.entries()) {
    for (const key of step.prerequisites)
      if (!before.has(key))
        context.addIssue({ code: "custom", message: `${key} does not come before`, path: ["steps", index, "prerequisites"] });
    before.add(step.key);
  }
});
export type GeneratedPlan = z.infer<typeof generatedPlan>;
