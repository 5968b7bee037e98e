import type { Question } from "./quiz.ts";

/** What a question asks, as Markdown. */
export const promptOf = (question: Question): string => ("key" in question ? question.key.markdown : question.prompt);
