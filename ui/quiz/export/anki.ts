import type { ChoiceQuestion, Question, Quiz } from "@colloquy/schemas/quiz/quiz.ts";
import { msg } from "../../messages/page.ts";
import { choicesOrOther, promptOf, solutionOf } from "./forms.ts";
import { toInlineMarkup, toMarkup } from "./markup.ts";
import { mathjax } from "./mathml.ts";
import { sourcesMarkup } from "./sources.ts";

/**
 * A quiz as a text file that Anki imports: one note of the type Basic for each question, tab-separated, its first lines telling Anki what
 * is what (docs.ankiweb.net, importing text files). The question's id is the note's, so that importing again brings no doubles. Formulas
 * stand as `\(…\)`. Pure.
 */
export function toAnki(quiz: Quiz, origin: string): string {
  const deck = quiz.title.replace(/\s+/g, " ").replaceAll("::", ": ");
  const head = ["#separator:tab", "#html:true", "#notetype:Basic", `#deck:${deck}`, "#guid column:1", "#tags:colloquy"];
  const rows = quiz.questions.map((question) => [question.questionId, ...sides(quiz, question, origin)].map(field).join("\t"));
  return `${[...head, ...rows].join("\n")}\n`;
}

/** A field in quotation marks, those in it doubled; it stays on its line. */
const field = (html: string): string => `"${html.replace(/\t/g, "    ").replace(/\r?\n/g, "<br />").replaceAll('"', '""')}"`;

function sides(quiz: Quiz, question: Question, origin: string): [string, string] {
  const asked = choicesOrOther(question);
  if ("choices" in asked) return [front(asked, origin), back(quiz, asked, origin)];
  const options = { math: mathjax, origin };
  return [toMarkup(promptOf(asked), options), `${toMarkup(solutionOf(asked), options)}${sourcesMarkup(quiz, asked, origin)}`];
}

function front({ kind, prompt, choices }: ChoiceQuestion, origin: string): string {
  const options = { math: mathjax, origin };
  const items = choices.map(({ text }) => `<li>${toInlineMarkup(text, options)}</li>`).join("");
  const how = kind === "single" ? msg("quiz.chooseOne") : msg("quiz.chooseAllThatApply");
  return `${toMarkup(prompt, options)}<p><em>${how}</em></p><ul>${items}</ul>`;
}

function back(quiz: Quiz, question: ChoiceQuestion, origin: string): string {
  const options = { math: mathjax, origin };
  const right = question.choices.filter(({ choiceId }) => question.correct.includes(choiceId));
  const items = right.map(({ text }) => `<li><strong>${toInlineMarkup(text, options)}</strong></li>`).join("");
  return `<ul>${items}</ul>${toMarkup(question.explanation, options)}${sourcesMarkup(quiz, question, origin)}`;
}
