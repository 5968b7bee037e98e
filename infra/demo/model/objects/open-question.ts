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

const fence = /^(`{3,})[^\n]*\n([\s\S]*?)\n\1$/m;

/** What the code in a question lacks, by the passage that has it whole; null for no code with one gap. */
function leftOutOf(question: string, passages: readonly Passage[]): string | null {
  const parts = fence.exec(question)?.[2]?.split(gap) ?? [];
  const [before = "", after = "", ...more] = parts.map((part) => part.trimEnd());
  if (parts.length < 2 || more.length > 0) return null;
  const whole = passages
    .flatMap((passage) => segmentsOf(passage))
    .find(({ kind, text }) => kind === "code" && text.startsWith(before) && text.trimEnd().endsWith(after) && text.length > before.length);
  return (
    whole?.text
      .trimEnd()
      .slice(before.length, after === "" ? undefined : -after.length)
      .trim() || null
  );
}

/**
 * Passages without what an open question asks for: the sentence that its gap was made in, or that has as code what a gap in code lacks,
 * what says the same as one of its choices, code and tables that stand in it, and, of a question to be answered in writing, what has its
 * words.
 */
export function withoutAnswers(passages: readonly Passage[], open: OpenQuestion): Passage[] {
  const key = leftOutOf(open.question, passages);
  return passages.flatMap((passage) => withoutAnswer(passage, open, key));
}

function withoutAnswer(passage: Passage, { question, choices }: OpenQuestion, key: string | null): Passage[] {
  const lines = question.split("\n");
  // The choices of the course's own questions are a list in their text.
  const offered = [...choices, ...lines.flatMap((line) => (line.startsWith("- ") ? line.slice(2) : []))];
  const sentences = [...lines.filter((line) => gap.test(line)), ...offered].map((text) => terms(text.split(gap).join(" ")));
  const typed = offered.length === 0 && !gap.test(question) ? new Set(terms(question)) : new Set<string>();
  const answers = ({ kind, text, terms: own }: Segment): boolean =>
    (kind === "code" && question.includes(text.trim())) ||
    (key !== null && (text.includes(`\`${key}\``) || text.includes(`\`${key}(`))) ||
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
