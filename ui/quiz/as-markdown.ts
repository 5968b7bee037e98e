import type { Quiz } from "@colloquy/schemas/quiz/quiz.ts";
import { promptOf } from "@colloquy/schemas/quiz/quiz-text.ts";

/** A quiz as text without its answers, for copying and for prompts. Of a question of the course's own only the prompt. Pure. */
export function quizAsMarkdown(quiz: Quiz): string {
  const questions = quiz.questions.map((question, index) => {
    const choices = "key" in question ? [] : question.choices.map((choice) => `   - ${indented(choice.text)}`);
    return `${index + 1}. ${indented(promptOf(question))}\n${choices.join("\n")}`;
  });
  return `**${quiz.title}**\n\n${questions.join("\n\n")}`;
}

const indented = (text: string): string => text.replace(/\n/g, "\n     ");
