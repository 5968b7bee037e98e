import { z } from "zod";
import { optionalText, passageId, passages, shortText, text } from "./passages.ts";

export const sceneLayouts = ["title", "points", "formula", "diagram", "code", "compare", "plot", "recap", "question"] as const;

/** One scene. Fields of `content` that its layout does not use are empty. */
export const generatedScene = z.strictObject({
  layout: z.enum(sceneLayouts),
  seconds: z.int().min(3).max(15),
  content: z.strictObject({
    heading: shortText,
    points: z.array(z.string().max(160)).max(5),
    tex: optionalText,
    code: optionalText,
    language: z.string().max(40),
    left: z.array(z.string().max(160)).max(4),
    right: z.array(z.string().max(160)).max(4),
    question: optionalText,
    answer: optionalText,
  }),
  narration: text,
  passages,
  /** Words that stand in the passage exactly so. */
  quotes: z
    .array(z.strictObject({ passage: passageId, quote: z.string().trim().min(1).max(300) }))
    .min(1)
    .max(4),
});
export type GeneratedScene = z.infer<typeof generatedScene>;

/** `storyboard`: 4 to 9 scenes of 30 to 60 seconds together. */
export const generatedStoryboard = z
  .strictObject({ title: shortText, scenes: z.array(generatedScene).min(4).max(9) })
  .superRefine((board, context) => {
    const seconds = board.scenes.reduce((sum, scene) => sum + scene.seconds, 0);
    if (seconds < 30 || seconds > 60) context.addIssue({ code: "custom", message: `lasts ${seconds} s, not 30 to 60`, path: ["scenes"] });
    for (const [index, scene] of board.scenes.entries())
      for (const quote of scene.quotes)
        if (!scene.passages.includes(quote.passage))
          context.addIssue({ code: "custom", message: "quotes a passage the scene does not cite", path: ["scenes", index, "quotes"] });
  });
export type GeneratedStoryboard = z.infer<typeof generatedStoryboard>;
