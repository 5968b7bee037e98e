import { z } from "zod";
import { choiceErrors, generatedChoice } from "./choices.ts";
import { objectiveId, passages, text } from "./passages.ts";

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
