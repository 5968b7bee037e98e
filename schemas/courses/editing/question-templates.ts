import type { QuestionKind } from "../blocks.ts";

/** The texts that a new question and its new parts begin with. Each is an instruction to its author, so that none is published by mistake. */

/** One more line of a key, by its number from 1. */
export const keyLine = {
  choice: (number: number) => `- [ ] Write choice ${number}.`,
  text: (number: number) => `= Write accepted answer ${number}`,
  order: (number: number) => `${number}. Write step number ${number}.`,
  match: (number: number) => `- Write left side ${number} => Write right side ${number}`,
  distractor: (number: number) => `- => Write right side ${number}, which belongs to nothing`,
  rubric: (number: number) => `- Write what a full answer says, criterion ${number}.`,
};

const rightFeedback = "  > Write why it is right.";
const wrongFeedback = "  > Write why somebody believes it, and what holds instead.";
const rightChoice = (number: number): string => keyLine.choice(number).replace("[ ]", "[x]");

export const keyTemplates: Record<QuestionKind, string> = {
  single: [rightChoice(1), rightFeedback, keyLine.choice(2), wrongFeedback, keyLine.choice(3), wrongFeedback].join("\n"),
  multiple: [rightChoice(1), rightChoice(2), keyLine.choice(3), wrongFeedback].join("\n"),
  text: keyLine.text(1),
  number: "= 1",
  gap: "Write a sentence with [[the missing words]].",
  order: [1, 2, 3].map(keyLine.order).join("\n"),
  match: [1, 2].map(keyLine.match).join("\n"),
  free: `::: rubric\n${keyLine.rubric(1)}\n${keyLine.rubric(2)}\n:::\n\n::: answer\nWrite an answer that meets every criterion.\n:::`,
};

export const promptTemplate = "Write the question here.";
export const hintTemplate = "::: hint\nWrite what helps without giving the answer away.\n:::";
export const explanationWords = "Write why this is the answer.";
export const explanationTemplate = `::: explanation\n${explanationWords}\n:::`;

export const questionStarter = `---\nkind: single\n---\n${promptTemplate}\n\n${keyTemplates.single}\n\n${explanationTemplate}`;

const marks = /^(?:[-*+] \[[ xX]\] |[-*+] (?:=> )?|= |\d+\. |> )/;
const wordsOf = (line: string): string => line.trim().replace(marks, "").replaceAll(/\d+/g, "1");
const instructions = new Set(
  [questionStarter, ...Object.values(keyTemplates), hintTemplate, keyLine.distractor(1)]
    .flatMap((text) => text.split("\n"))
    .filter((line) => line.includes("Write "))
    .flatMap((line) => [wordsOf(line), ...wordsOf(line).split(" => ")]),
);

/** Whether a question still has a text that it or one of its parts began with. */
export const hasInstruction = (source: string): boolean =>
  source.split(/\r?\n/).some((line) => [wordsOf(line), ...wordsOf(line).split(" => ")].some((words) => instructions.has(words)));
