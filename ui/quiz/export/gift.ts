import type { Question, Quiz } from "@colloquy/schemas/quiz/quiz.ts";
import { toInlineMarkup, toMarkup } from "./markup.ts";
import { mathjax } from "./mathml.ts";
import { sourcesMarkup } from "./sources.ts";

/**
 * Escapes text for GIFT: `~ = # { } : \` get a backslash, and a line end becomes `\n`, because an empty line would end the question
 * (docs.moodle.org, GIFT format).
 */
export function escapeGift(text: string): string {
  return text
    .replace(/[\\~=#{}:]/g, "\\$&")
    .replace(/\r/g, "")
    .replace(/\n/g, "\\n");
}

/**
 * A quiz as Moodle GIFT. Single choice has one right answer; in multiple choice every right one gives its share in per cent and every
 * wrong one takes such a share away, which is our scoring rule. Formulas stand as `\(…\)` for Moodle's MathJax filter. Pure.
 */
export function toGift(quiz: Quiz, origin: string): string {
  const title = quiz.title.replace(/\s+/g, " ");
  return `// ${title}\n\n${quiz.questions.map((question, index) => giftQuestion(quiz, question, `${title} ${index + 1}`, origin)).join("\n\n")}\n`;
}

function giftQuestion(quiz: Quiz, question: Question, name: string, origin: string): string {
  const options = { math: mathjax, origin };
  const html = (markup: string) => `[html]${escapeGift(markup)}`;
  const share = percent(question.correct.length);
  const answers = question.choices.map(({ choiceId, text }) => {
    const right = question.correct.includes(choiceId);
    const mark = question.kind === "single" ? (right ? "=" : "~") : `~%${right ? "" : "-"}${share}%`;
    return `\t${mark}${html(toInlineMarkup(text, options))}`;
  });
  const why = `${toMarkup(question.explanation, options)}${sourcesMarkup(quiz, question, origin)}`;
  return `::${escapeGift(name)}::${html(toMarkup(question.prompt, options))}{\n${answers.join("\n")}\n\t####${html(why)}\n}`;
}

/** A share of 100 as Moodle lists it: at most five decimals. */
const percent = (parts: number): string => String(Number((100 / parts).toFixed(5)));
