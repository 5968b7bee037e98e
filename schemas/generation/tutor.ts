import { z } from "zod";
import { bounds } from "../bounds.ts";
import { choiceErrors, generatedChoice } from "./choices.ts";
import { longText, objectiveId, optionalText, passageId, passages, repeated, shortText, text } from "./passages.ts";

/** What models fill for a tutoring session, in the order in which a session needs it. */

export const generatedProbeItem = z
  .strictObject({
    objectiveId,
    /** Probes go from broad to narrow. */
    breadth: z.enum(["broad", "narrow"]),
    prompt: text,
    selection: z.enum(["single", "multiple"]),
    choices: z.array(generatedChoice).min(2).max(6),
    explanation: text,
    passages,
  })
  .superRefine((item, context) => {
    for (const message of choiceErrors(item.selection, item.choices)) context.addIssue({ code: "custom", message, path: ["choices"] });
  });

/** `probe`: diagnostic items, in the order they are asked; none when the passages give no question. */
export const generatedProbe = z.strictObject({ items: z.array(generatedProbeItem).max(8) });
export type GeneratedProbe = z.infer<typeof generatedProbe>;

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

/** `verification`: what a review finds in a proposed plan. A plan is accepted if both lists are empty. */
export const generatedVerification = z.strictObject({
  /** Foundations or claims no passage supports. */
  unsupported: z.array(z.strictObject({ step: shortText, claim: text })).max(16),
  /** Something a step needs that no earlier step teaches. */
  prerequisiteGaps: z.array(z.strictObject({ step: shortText, missing: text })).max(16),
});
export type GeneratedVerification = z.infer<typeof generatedVerification>;

/** `teachingStep`: one step, in Markdown with `[s1]` after each sentence that rests on a passage. */
export const generatedTeachingStep = z.strictObject({
  title: shortText,
  markdown: longText,
  keyPoints: z.array(text).min(1).max(5),
  passages,
});
export type GeneratedTeachingStep = z.infer<typeof generatedTeachingStep>;

/** `check`: one item that tests whether a step was understood. `rubric` and `modelAnswer` serve text answers, `choices` the others. */
export const generatedCheck = z
  .strictObject({
    prompt: text,
    selection: z.enum(["single", "multiple", "text"]),
    choices: z.array(generatedChoice).max(6),
    rubric: z.array(text).max(bounds.tutor.criteria),
    modelAnswer: optionalText,
    hint: text,
    explanation: text,
    passages,
  })
  .superRefine((check, context) => {
    if (check.selection === "text") {
      if (check.choices.length) context.addIssue({ code: "custom", message: "a text item has no choices", path: ["choices"] });
      if (!check.rubric.length) context.addIssue({ code: "custom", message: "a text item needs a rubric", path: ["rubric"] });
      return;
    }
    for (const message of choiceErrors(check.selection, check.choices)) context.addIssue({ code: "custom", message, path: ["choices"] });
  });
export type GeneratedCheck = z.infer<typeof generatedCheck>;

const maybeText = z.string().trim().max(600);

/**
 * `check` as a model fills it: an item, or `selection` "none" and empty fields if the passages give no question. So a refusal differs from a
 * failure of the model.
 */
export const checkOrNone = z
  .strictObject({
    prompt: maybeText,
    selection: z.enum(["single", "multiple", "text", "none"]),
    choices: z.array(generatedChoice).max(6),
    rubric: z.array(text).max(bounds.tutor.criteria),
    modelAnswer: optionalText,
    hint: maybeText,
    explanation: maybeText,
    passages: z.array(passageId).max(6),
  })
  .superRefine((check, context) => {
    if (check.selection === "none") return;
    for (const { message, path } of generatedCheck.safeParse(check).error?.issues ?? [])
      context.addIssue({ code: "custom", message, path });
  });
export type CheckOrNone = z.infer<typeof checkOrNone>;

/** The item; null if the passages give no question. */
export function itemOf({ selection, ...check }: CheckOrNone): GeneratedCheck | null {
  return selection === "none" ? null : { ...check, selection };
}

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
