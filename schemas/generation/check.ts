import { z } from "zod";
import { choiceErrors, generatedChoice } from "./choices.ts";
import { optionalText, passages, text } from "./passages.ts";

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
