import type { Question, Quiz } from "./quiz.ts";

/** The chosen choice ids by question; unanswered questions are absent. */
export type QuizAnswers = Record<string, string[]>;

/**
 * The points of a question, from 0 to 1. Single choice: 1 for the correct choice. Multiple choice: each correct choice adds its share (1 /
 * number of correct ones) and each wrong one subtracts such a share, never below 0, so that choosing everything gains nothing where half or
 * more are wrong. Unknown choices are ignored. Pure.
 */
export function pointsOf(question: Question, chosen: readonly string[] | undefined): number {
  const own = new Set(chosen?.filter((id) => question.choices.some((choice) => choice.choiceId === id)));
  const right = question.correct.filter((id) => own.has(id)).length;
  const wrong = own.size - right;
  if (question.kind === "single") return right === 1 && wrong === 0 ? 1 : 0;
  return Math.max(0, (right - wrong) / question.correct.length);
}

/** The points of a quiz, at most one per question; unanswered questions count 0. Pure. */
export function quizPoints(quiz: Quiz, answers: QuizAnswers): number {
  return quiz.questions.reduce((sum, question) => sum + pointsOf(question, answers[question.questionId]), 0);
}

/** The score of an attempt, from 0 to 1: points per question. Pure. */
export function quizScore(quiz: Quiz, answers: QuizAnswers): number {
  return quizPoints(quiz, answers) / quiz.questions.length;
}
