import type { Question, QuestionKind } from "@colloquy/schemas/courses/blocks.ts";
import { fillGaps } from "@colloquy/schemas/questions/gaps.ts";
import { keyText } from "@colloquy/schemas/questions/key-text.ts";
import { partId, withoutKey } from "@colloquy/schemas/questions/shown.ts";
import type { Question as QuizQuestion } from "@colloquy/schemas/quiz/quiz.ts";
import type { TutorItem } from "@colloquy/schemas/tutor/events.ts";
import type { Selection } from "@colloquy/schemas/tutor/session.ts";
import { identified, type Statement, statementsOf, wordsOf } from "./shown-texts.ts";

type Questioned = Pick<TutorItem, "prompt" | "selection" | "choices" | "right" | "modelAnswer">;

/** A question as sessions compare it with others. The order of its choices comes from the seed. */
export function questioned(question: Question, seed: string): Questioned {
  const { kind, markdown } = question;
  const shownAs = withoutKey(question, seed);
  const choices = "choices" in shownAs ? shownAs.choices : [];
  const right = kind === "single" || kind === "multiple" ? question.choices.filter(({ correct }) => correct) : [];
  return {
    prompt: kind === "gap" ? fillGaps(markdown, () => "[…]") : markdown,
    selection: selectionOf[kind],
    choices: choices.map(({ id, markdown: text }) => ({ choiceId: id, text })),
    right: right.map((choice) => partId(choice.markdown)),
    modelAnswer: right.length > 0 ? "" : keyText(question),
  };
}

/** How sessions name what a question of a course asks for. */
const selectionOf = {
  single: "single",
  multiple: "multiple",
  text: "short",
  number: "number",
  gap: "gap",
  order: "order",
  match: "match",
  free: "text",
} as const satisfies Record<QuestionKind, Selection>;

/** Fewer letters, such as a number or "is", stand in many texts without telling the answer. */
const leastLetters = 4;

/** Whether what has to be typed stands in a text that is on the screen beside the question, such as the name of its objective. */
export function isTypedOff(question: Question, text: string): boolean {
  const words = ` ${wordsOf(text).join(" ")} `;
  const isIn = (answers: readonly string[]): boolean =>
    answers.some((answer) => answer.length >= leastLetters && words.includes(` ${wordsOf(answer).join(" ")} `));
  if (question.kind === "text") return isIn(question.accepted);
  return question.kind === "gap" && question.gaps.every(isIn);
}

/** The statements that questions outside of a session show with their truth: those of quizzes, and of self-checks on pages. */
export function revealedBy(questions: readonly (QuizQuestion | { key: Question })[]): Statement[] {
  const asked = questions.map((question): Questioned => {
    if ("key" in question) return questioned(question.key, "");
    const { prompt, kind, choices, correct } = question;
    return { prompt, selection: kind, choices, right: correct, modelAnswer: "" };
  });
  return asked.flatMap((one) => identified(statementsOf(one), []));
}
