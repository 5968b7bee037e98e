import type { Question, Quiz } from "./quiz.ts";

/** What a learner chose, by question: the ids of choices. A question that is not there was not answered. */
export type QuizAnswers = Record<string, string[]>;

/**
 * The points of one question, from 0 to 1. Single choice: 1 for the right choice, else 0. Multiple choice: each right choice adds its
 * share (1 / right ones) and each wrong one takes such a share away, never below 0; so choosing everything gains nothing where half or
 * more are wrong. Choices that are not the question's own count for nothing. Pure.
 */
export function pointsOf(question: Question, chosen: readonly string[] | undefined): number {
  const own = new Set(chosen?.filter((id) => question.choices.some((choice) => choice.choiceId === id)));
  const right = question.correct.filter((id) => own.has(id)).length;
  const wrong = own.size - right;
  if (question.kind === "single") return right === 1 && wrong === 0 ? 1 : 0;
  return Math.max(0, (right - wrong) / question.correct.length);
}

/** The points of a whole quiz, out of one for each question; what was not answered counts 0. Pure. */
export function quizPoints(quiz: Quiz, answers: QuizAnswers): number {
  return quiz.questions.reduce((sum, question) => sum + pointsOf(question, answers[question.questionId]), 0);
}

/** An attempt's score, from 0 to 1: its points by the number of questions. Pure. */
export function quizScore(quiz: Quiz, answers: QuizAnswers): number {
  return quizPoints(quiz, answers) / quiz.questions.length;
}
