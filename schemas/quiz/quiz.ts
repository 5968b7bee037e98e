import { z } from "zod";
import { bounds } from "../bounds.ts";
import { id } from "../payload.ts";
import { authoredKey } from "../questions/key.ts";
import { questionResponse } from "../questions/response.ts";
import { citation } from "../sources/citations.ts";

const text = z.string().min(1).max(bounds.quiz.textLength);

/** A question that a model wrote. */
export const choiceQuestion = z.strictObject({
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
export type ChoiceQuestion = z.infer<typeof choiceQuestion>;

/** A question of the course's own: the version of the block that was asked, with its key. */
export const courseQuestion = z.strictObject({
  questionId: id,
  authored: z.strictObject({ courseId: id, blockId: id, digest: z.string().regex(/^[0-9a-f]{64}$/) }),
  key: authoredKey,
  sourceIds: z.array(id),
});
export type CourseQuestion = z.infer<typeof courseQuestion>;

/** What is answered: of a model's question the ids of the chosen choices, of a question of the course's own the response. */
export const quizAnswer = z.union([z.array(id).max(bounds.quiz.choices.max), questionResponse]);
export type QuizAnswer = z.infer<typeof quizAnswer>;

export const question = z.union([choiceQuestion, courseQuestion]);
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
