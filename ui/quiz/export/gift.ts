import type { Question, Quiz } from "@colloquy/schemas/quiz/quiz.ts";
import { choicesOrOther, type OtherQuestion, promptOf, solutionOf } from "./forms.ts";
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

/** What stands in the braces of a question without choices: accepted answers, a number or pairs; what GIFT has no form for is an essay. */
function otherAnswers({ key }: OtherQuestion, html: (markup: string) => string, inline: (text: string) => string): string[] {
  if (key.kind === "text") return key.accepted.map((accepted) => `=${escapeGift(accepted)}`);
  if (key.kind === "number") return [`#${key.value}:${key.tolerance}`];
  if (key.kind !== "match" || key.pairs.length < 3) return [];
  const pairs = key.pairs.map(({ left, right }) => `=${html(inline(left))} -> ${escapeGift(right)}`);
  return [...pairs, ...key.extra.map((right) => `= -> ${escapeGift(right)}`)];
}

function giftQuestion(quiz: Quiz, given: Question, name: string, origin: string): string {
  const options = { math: mathjax, origin };
  const html = (markup: string) => `[html]${escapeGift(markup)}`;
  const question = choicesOrOther(given);
  if (!("choices" in question)) {
    const answers = otherAnswers(question, html, (text) => toInlineMarkup(text, options));
    const why = `${toMarkup(solutionOf(question), options)}${sourcesMarkup(quiz, question, origin)}`;
    const asked = answers.length > 0 && question.key.kind === "match" ? question.key.markdown : promptOf(question);
    return `::${escapeGift(name)}::${html(toMarkup(asked, options))}{\n${answers.map((answer) => `\t${answer}\n`).join("")}\t####${html(why)}\n}`;
  }
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
