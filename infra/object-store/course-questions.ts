import type { Topic } from "@colloquy/schemas/courses/authored.ts";
import type { Question } from "@colloquy/schemas/courses/blocks.ts";
import { parseBlock } from "@colloquy/schemas/courses/parse.ts";
import { normalizedText } from "@colloquy/schemas/questions/compare.ts";
import { canonicalText, sha256 } from "../ledger/chain.ts";

/** A question of a course's own, with its key. */
export interface CourseQuestion {
  blockId: string;
  topicId: string;
  /** Null in a topic that names no objective. */
  objectiveId: string | null;
  /** SHA-256 of the block's source: another version of the question has another. */
  digest: string;
  question: Question;
}

/** The questions that readers find on the pages of topics, with their solutions. */
export const pageQuestions = (topics: readonly Pick<Topic, "blocks">[]): Question[] =>
  topics.flatMap(({ blocks }) => blocks.flatMap((block) => liveQuestion(block) ?? [])).filter(({ place }) => place !== "bank");

/** All questions that are written in topics, the retired ones as well. */
export const writtenQuestions = (topics: readonly Pick<Topic, "blocks">[]): Question[] =>
  topics.flatMap(({ blocks }) => blocks.flatMap((block) => questionOf(block) ?? []));

/** The question of a block; null for another block, or one with errors. */
export function questionOf(block: Topic["blocks"][number]): Question | null {
  const parsed = block.type === "core.question" ? parseBlock(block) : null;
  return parsed?.ok && parsed.block.type === "core.question" ? parsed.block.data : null;
}

function liveQuestion(block: Topic["blocks"][number]): Question | null {
  const question = questionOf(block);
  return question?.retired ? null : question;
}

/** The questions of topics that may be asked, in their order. One that does not say which of several objectives it is about is left out. */
export function courseQuestions(topics: readonly Pick<Topic, "id" | "objectives" | "blocks">[]): CourseQuestion[] {
  return topics.flatMap(({ id: topicId, objectives, blocks }) =>
    blocks.flatMap((block) => {
      const question = liveQuestion(block);
      if (!question || question.place === "self-check") return [];
      const [only, ...others] = objectives;
      const objectiveId = question.objective ?? (others.length === 0 ? (only?.id ?? null) : undefined);
      return objectiveId === undefined ? [] : { blockId: block.id, topicId, objectiveId, digest: sha256(block.source), question };
    }),
  );
}

/** Equal for questions that ask the same. */
export const samenessOf = (prompt: string, choices: readonly { text: string }[]): string =>
  sha256(canonicalText([normalizedText(prompt), choices.map(({ text }) => normalizedText(text)).toSorted()]));

/** Of a question of the course's own, as if a model had written it. */
export const samenessOfWritten = (question: Question): string =>
  samenessOf(question.markdown, "choices" in question ? question.choices.map(({ markdown }) => ({ text: markdown })) : []);
