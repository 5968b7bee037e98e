import { z } from "zod";
import { choiceErrors, generatedChoice } from "./choices.ts";
import { optionalText, passageId, passages, text } from "./passages.ts";

/** `check`: one item that shows whether a step was understood. `rubric` and `modelAnswer` serve text answers, `choices` the others. */
export const generatedCheck = z
  .strictObject({
    prompt: text,
    selection: z.enum(["single", "multiple", "text"]),
    choices: z.array(generatedChoice).max(6),
    rubric: z.array(text).max(6),
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
 * `check` as a model fills it: an item, or `selection` "none" when the passages give no question, with every other field empty. A
 * refusal is an answer like any other, so that it is told apart from a model that fails.
 */
export const checkOrNone = z
  .strictObject({
    prompt: maybeText,
    selection: z.enum(["single", "multiple", "text", "none"]),
    choices: z.array(generatedChoice).max(6),
    rubric: z.array(text).max(6),
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

/** The item of an answer; null when it says that the passages give none. */
export function itemOf({ selection, ...check }: CheckOrNone): GeneratedCheck | null {
  return selection === "none" ? null : { ...check, selection };
}
