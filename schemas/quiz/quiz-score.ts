import { markResponse } from "../questions/mark.ts";
import { partId } from "../questions/shown.ts";
import type { CourseQuestion, Question, Quiz, QuizAnswer } from "./quiz.ts";

/** The answers by question; unanswered questions are absent. */
export type QuizAnswers = Record<string, QuizAnswer>;

/**
 * The points of a question, from 0 to 1. Single choice: 1 for the correct choice. Multiple choice: each correct choice adds its share (1 /
 * number of correct ones) and each wrong one subtracts such a share, never below 0, so that choosing everything gains nothing where half or
 * more are wrong. Gaps and pairs: the share of right ones. Everything else: 1 if it is right. Unknown choices are ignored. Pure.
 */
export function pointsOf(question: Question, answer: QuizAnswer | readonly string[] | undefined): number {
  if ("key" in question) return answer === undefined || isChoice(answer) ? 0 : pointsOfCourse(question, answer);
  const chosen = answer !== undefined && isChoice(answer) ? answer : [];
  return pointsOfChoices(question.kind, question.correct, new Set(question.choices.map(({ choiceId }) => choiceId)), chosen);
}

const isChoice = (answer: QuizAnswer | readonly string[]): answer is readonly string[] => Array.isArray(answer);

function pointsOfCourse({ key }: CourseQuestion, answer: Exclude<QuizAnswer, string[]>): number {
  if (key.kind === "single" || key.kind === "multiple") {
    const right = key.choices.flatMap(({ markdown, correct }) => (correct ? [partId(markdown)] : []));
    const known = new Set(key.choices.map(({ markdown }) => partId(markdown)));
    return "choiceIds" in answer ? pointsOfChoices(key.kind, right, known, answer.choiceIds) : 0;
  }
  const { correct, parts } = markResponse(key, answer);
  if (correct) return 1;
  if (key.kind !== "gap" && key.kind !== "match") return 0;
  const whole = key.kind === "gap" ? key.gaps.length : key.pairs.length;
  return Math.min(whole - 1, parts?.filter(Boolean).length ?? 0) / whole;
}

function pointsOfChoices(
  kind: "single" | "multiple",
  correct: readonly string[],
  known: ReadonlySet<string>,
  chosen: readonly string[],
): number {
  const own = new Set(chosen.filter((id) => known.has(id)));
  const right = correct.filter((id) => own.has(id)).length;
  const wrong = own.size - right;
  if (kind === "single") return right === 1 && wrong === 0 ? 1 : 0;
  return Math.max(0, (right - wrong) / correct.length);
}

/** The points of a quiz, at most one per question; unanswered questions count 0. Pure. */
export function quizPoints(quiz: Quiz, answers: QuizAnswers): number {
  return quiz.questions.reduce((sum, question) => sum + pointsOf(question, answers[question.questionId]), 0);
}

/** The score of an attempt, from 0 to 1: points per question. Pure. */
export function quizScore(quiz: Quiz, answers: QuizAnswers): number {
  return quizPoints(quiz, answers) / quiz.questions.length;
}
