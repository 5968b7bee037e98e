import { z } from "zod";
import { type Prompt, taggedJson } from "../prompt.ts";
import { type Passage, type Segment, segmentsOf } from "../segments.ts";
import { terms } from "../terms.ts";
import { lengthOf } from "./teaching-step.ts";

const openQuestion = z.object({ question: z.string(), choices: z.array(z.string()).default([]) });
type OpenQuestion = z.infer<typeof openQuestion>;

/** The question that a learner who asks back still has to answer; null for none. */
export const openQuestionOf = (prompt: Prompt): OpenQuestion | null => openQuestion.safeParse(taggedJson(prompt, "open")).data ?? null;

/** Fewer words that are left of a passage are a caption. */
const leastWords = 4;
/** From this share of their words on, two sentences say the same; from the other on, a sentence answers a question. */
const sameSentence = 0.6;
const answeringSentence = 0.5;
const saySame = (one: readonly string[], other: readonly string[]): boolean => {
  const [words, others] = [new Set(one), new Set(other)];
  return words.size > 1 && words.intersection(others).size >= sameSentence * Math.max(words.size, others.size);
};

/** A gap, as the application writes it into the text of a question, and into what the course says before code with one. */
const gap = /\[…\]|\[\[\d+\]\]|`…`|_{3,}/;

/** A table's cells, however it is drawn. */
const cellsOf = (text: string): string => text.replaceAll(/[\s|:-]+/g, " ").trim();

/**
 * A passage without what an open question asks for: the sentence that its gap was made in, what says the same as one of its choices, code
 * that stands in it, and, of a question to be answered in writing, what has its words.
 */
export function withoutAnswer(passage: Passage, { question, choices }: OpenQuestion): Passage[] {
  const lines = question.split("\n");
  // The choices of the course's own questions are a list in their text.
  const offered = [...choices, ...lines.flatMap((line) => (line.startsWith("- ") ? line.slice(2) : []))];
  const sentences = [...lines.filter((line) => gap.test(line)), ...offered].map((text) => terms(text.split(gap).join(" ")));
  const typed = offered.length === 0 && !gap.test(question) ? new Set(terms(question)) : new Set<string>();
  const answers = ({ kind, text, terms: own }: Segment): boolean =>
    (kind === "code" && question.includes(text.trim())) ||
    (kind === "table" && cellsOf(question).includes(cellsOf(text))) ||
    sentences.some((words) => saySame(own, words)) ||
    (typed.size > 1 && typed.intersection(new Set(own)).size >= answeringSentence * typed.size);
  const segments = segmentsOf(passage);
  const kept = segments.filter((segment) => !answers(segment));
  if (kept.length === segments.length) return [passage];
  const text = kept.reduce(
    (rest, { raw }, at) =>
      rest + (at === 0 ? "" : kept[at - 1]?.paragraph !== kept[at]?.paragraph ? "\n\n" : kept[at]?.kind === "item" ? "\n" : " ") + raw,
    "",
  );
  // A caption alone says nothing.
  return lengthOf([{ ...passage, text }]) < leastWords ? [] : [{ ...passage, text }];
}
