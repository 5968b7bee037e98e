import type { Quiz } from "@colloquy/schemas/quiz/quiz.ts";

/** A quiz as text without its answers, for copying and for prompts. Pure. */
export function quizAsMarkdown(quiz: Quiz): string {
  const questions = quiz.questions.map((question, index) => {
    const choices = question.choices.map((choice) => `   - ${indented(choice.text)}`).join("\n");
    return `${index + 1}. ${indented(question.prompt)}\n${choices}`;
  });
  return `**${quiz.title}**\n\n${questions.join("\n\n")}`;
}

const indented = (text: string): string => text.replace(/\n/g, "\n     ");
