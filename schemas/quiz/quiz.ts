import { z } from "zod";
import { bounds } from "../bounds.ts";
import { id } from "../payload.ts";
import { citation } from "../sources/citations.ts";

const text = z.string().min(1).max(bounds.quiz.textLength);

export const question = z.strictObject({
  questionId: id,
  kind: z.enum(["single", "multiple"]),
  prompt: text,
  choices: z
    .array(z.strictObject({ choiceId: id, text }))
    .min(bounds.quiz.choices.min)
    .max(bounds.quiz.choices.max),
  correct: z.array(id).min(1),
  explanation: text,
  sourceIds: z.array(id),
});
export type Question = z.infer<typeof question>;

/** A quiz artifact. Models propose `schemas/generation/quiz.ts`; the application assigns ids. */
export const quiz = z.strictObject({
  type: z.literal("quiz"),
  quizId: id,
  title: z.string().min(1).max(bounds.course.titleLength),
  questions: z.array(question).min(bounds.quiz.questions.min).max(bounds.quiz.questions.max),
  sources: z.array(citation),
});
export type Quiz = z.infer<typeof quiz>;
