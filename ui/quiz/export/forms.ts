import { keyText, questionMarkdown } from "@colloquy/schemas/questions/key-text.ts";
import { partId } from "@colloquy/schemas/questions/shown.ts";
import type { ChoiceQuestion, CourseQuestion, Question } from "@colloquy/schemas/quiz/quiz.ts";

/** A question of the course's own that no choices belong to. */
export type OtherQuestion = CourseQuestion & { key: Exclude<CourseQuestion["key"], { kind: "single" | "multiple" }> };

/** Single and multiple choice in one form, whoever wrote it; questions of other kinds as they are. Pure. */
export function choicesOrOther(question: Question): ChoiceQuestion | OtherQuestion {
  if (!("key" in question)) return question;
  const { key, questionId, sourceIds, authored } = question;
  if (key.kind !== "single" && key.kind !== "multiple") return { questionId, sourceIds, authored, key };
  const choices = key.choices.map(({ markdown, correct }) => ({ choiceId: partId(markdown), text: markdown, correct }));
  return {
    questionId,
    kind: key.kind,
    prompt: key.markdown,
    choices: choices.map(({ choiceId, text }) => ({ choiceId, text })),
    correct: choices.flatMap(({ choiceId, correct }) => (correct ? [choiceId] : [])),
    explanation: key.explanation ?? "",
    sourceIds,
  };
}

/** What a question of another kind asks, as Markdown. Pure. */
export const promptOf = ({ key }: OtherQuestion): string => questionMarkdown(key);

/** The right answer with its explanation, as Markdown. Pure. */
export const solutionOf = ({ key }: OtherQuestion): string => [keyText(key), key.explanation ?? ""].filter(Boolean).join("\n\n");
