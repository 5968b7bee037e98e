import type { Conversation } from "@colloquy/schemas/conversations/requests.ts";
import { seededRandom, shuffledChoices } from "@colloquy/schemas/questions/choice-order.ts";
import { withoutKey } from "@colloquy/schemas/questions/shown.ts";
import type { ChoiceQuestion, Question, Quiz, QuizAnswer } from "@colloquy/schemas/quiz/quiz.ts";
import { pointsOf, type QuizAnswers, quizScore } from "@colloquy/schemas/quiz/quiz-score.ts";
import type { ConversationChangeData } from "@colloquy/schemas/sync/changes.ts";
import { formatNumber } from "../messages/page.ts";
import { isComplete } from "../questions/response.ts";

/** A finished attempt, from any device. */
export type QuizAttempt = Conversation["quizAttempts"][number];

/** Answers in progress, on this device only. */
export interface QuizDraft {
  /** Number of attempts before this one; decides the order of the choices. */
  round: number;
  answers: QuizAnswers;
  /** Ids of checked questions, whose answers are final. */
  checked: string[];
}

/** The state that a quiz shows. */
export interface QuizProgress extends QuizDraft {
  /** Every question was checked and the attempt is recorded. */
  finished: boolean;
}

/** The learner's progress: the draft, else the last attempt, else a new one. Pure. */
export function progressOf(quiz: Quiz, attempts: readonly QuizAttempt[], draft: QuizDraft | null): QuizProgress {
  if (draft) return { ...draft, finished: false };
  const last = attempts.at(-1);
  if (!last) return { round: 0, answers: {}, checked: [], finished: false };
  const checked = quiz.questions.map(({ questionId }) => questionId);
  return { round: attempts.length - 1, answers: last.answers, checked, finished: true };
}

/** Sets or clears a choice, unless its question is checked. Pure. */
export function withChoice({ round, answers, checked }: QuizDraft, question: ChoiceQuestion, choiceId: string, on: boolean): QuizDraft {
  const { questionId, kind } = question;
  if (checked.includes(questionId)) return { round, answers, checked };
  const chosen = answers[questionId];
  const others = kind === "single" || !Array.isArray(chosen) ? [] : chosen.filter((other) => other !== choiceId);
  return { round, checked, answers: { ...answers, [questionId]: on ? [...others, choiceId] : others } };
}

/** Sets the answer to a question, unless it is checked. Pure. */
export function withAnswer({ round, answers, checked }: QuizDraft, { questionId }: Question, answer: QuizAnswer): QuizDraft {
  return { round, checked, answers: checked.includes(questionId) ? answers : { ...answers, [questionId]: answer } };
}

/** Whether a question has an answer that can be checked: choices without one are none. Pure. */
export function isAnswered(question: Question, answer: QuizAnswer | undefined): boolean {
  if (answer === undefined) return false;
  if (Array.isArray(answer)) return answer.length > 0;
  return "key" in question && isComplete(withoutKey(question.key, question.questionId), answer);
}

/** Marks questions as checked. Pure. */
export function withChecked({ round, answers, checked }: QuizDraft, questionIds: readonly string[]): QuizDraft {
  return { round, answers, checked: [...new Set([...checked, ...questionIds])] };
}

/** Whether every question of a quiz was checked. Pure. */
export const isAllChecked = (quiz: Quiz, { checked }: QuizDraft): boolean =>
  quiz.questions.every(({ questionId }) => checked.includes(questionId));

/** The attempt for the given answers. Pure. */
export function attemptOf(quiz: Quiz, answers: QuizAnswers): ConversationChangeData["quiz_attempted"] {
  const given = quiz.questions.flatMap((question) => {
    const answer = answers[question.questionId];
    return answer !== undefined && isAnswered(question, answer) ? [[question.questionId, answer] as const] : [];
  });
  return { quizId: quiz.quizId, answers: Object.fromEntries(given), score: quizScore(quiz, answers) };
}

/** Questions with less than the full point. Pure. */
export const missedOf = (quiz: Quiz, answers: QuizAnswers): Question[] =>
  quiz.questions.filter((question) => pointsOf(question, answers[question.questionId]) < 1);

/** Starts another round. `missed`: only questions below the full point are asked again. Pure. */
export function nextRound(quiz: Quiz, attempts: readonly QuizAttempt[], which: "all" | "missed"): QuizDraft {
  const begun: QuizDraft = { round: attempts.length, answers: {}, checked: [] };
  const before = attempts.at(-1)?.answers ?? {};
  if (which === "all") return begun;
  const missed = new Set(missedOf(quiz, before));
  for (const question of quiz.questions) {
    const { questionId } = question;
    if (missed.has(question)) continue;
    const answer = before[questionId];
    if (answer !== undefined) begun.answers[questionId] = answer;
    begun.checked.push(questionId);
  }
  return begun;
}

/** The choices in the order of a round: original in the first, then shuffled, the same on every device. Pure. */
export function choicesOf(question: ChoiceQuestion, round: number): ChoiceQuestion["choices"] {
  return round === 0 ? question.choices : shuffledChoices(question.choices, seededRandom(`${question.questionId}/${round}`));
}

/** Points as text, as in "4 of 5" or "1.5 of 2". */
export function pointsText(points: number): string {
  return formatNumber(points, { maximumFractionDigits: 2 });
}
