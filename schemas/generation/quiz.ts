import { z } from "zod";
import { bounds } from "../bounds.ts";
import { choiceErrors, generatedChoice } from "./choices.ts";
import { passages, repeated, shortText, text } from "./passages.ts";

export const generatedQuestion = z
  .strictObject({
    kind: z.enum(["single", "multiple"]),
    prompt: text,
    choices: z.array(generatedChoice).min(bounds.quiz.choices.min).max(6),
    explanation: text,
    passages,
  })
  .superRefine((question, context) => {
    for (const message of choiceErrors(question.kind, question.choices)) context.addIssue({ code: "custom", message, path: ["choices"] });
  });
export type GeneratedQuestion = z.infer<typeof generatedQuestion>;

/** `quiz`: questions answerable from the passages alone; none when the passages give no question. */
export const generatedQuiz = z
  .strictObject({
    title: shortText,
    questions: z.array(generatedQuestion).max(bounds.quiz.questions.max),
  })
  .superRefine((quiz, context) => {
    const asked = quiz.questions.map((question) => `${question.prompt}\n${question.choices.map((choice) => choice.text).join("\n")}`);
    for (const index of repeated(asked))
      context.addIssue({ code: "custom", message: "repeats another question", path: ["questions", index] });
  });
export type GeneratedQuiz = z.infer<typeof generatedQuiz>;
