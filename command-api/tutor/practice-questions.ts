import { eventIdFrom } from "@colloquy/infra/event-store/event-id.ts";
import { canonicalText } from "@colloquy/infra/ledger/chain.ts";
import { languageOf, queryTerms, type RankedPassage, termsOf } from "@colloquy/projections/passages/queries.ts";
import type { Topic } from "@colloquy/schemas/courses/authored.ts";
import { parseBlock } from "@colloquy/schemas/courses/parse.ts";
import { derivedQuestions } from "@colloquy/schemas/questions/derived/questions.ts";
import type { MechanicalQuestion } from "@colloquy/schemas/questions/mark.ts";

/** A question that the application made of a page's own text. What it asks need not be what an objective names: it is practice. */
export interface PracticeQuestion {
  id: string;
  topicId: string;
  /** Of the page's objectives those that it is about by their words, with the share of these that it has; the nearest first. */
  about: ReadonlyMap<string, number>;
  question: MechanicalQuestion;
  sourceIds: readonly string[];
}

/** The practice questions of a course's pages, made of what learners may read. */
export function practiceQuestions(topics: readonly Topic[], passages: readonly RankedPassage[], language: string): PracticeQuestion[] {
  const byBlock = Map.groupBy(passages, ({ source }) => source.entityId);
  return topics.flatMap((topic) => {
    const blocks = topic.blocks.map((block) => {
      const parsed = byBlock.has(block.id) ? parseBlock(block) : null;
      return parsed?.ok ? parsed.block : null;
    });
    const objectives = topic.objectives.map(({ text }) => text);
    return derivedQuestions(blocks, language, objectives).map(({ question, context }) => ({
      id: eventIdFrom("practice question", topic.id, canonicalText(question)),
      topicId: topic.id,
      about: nearestObjectives(topic, context, language),
      question,
      sourceIds: [...new Set(question.about.flatMap((blockId) => byBlock.get(blockId)?.map(({ sourceId }) => sourceId) ?? []))],
    }));
  });
}

/** Share of an objective's words from which a question is about it; of the nearest one's, from which it is about another one, too. */
const least = { share: 0.1, ofNearest: 0.6 };

/** The objectives with the words of a question: a word counts less the more of them have it. */
function nearestObjectives({ objectives }: Topic, context: string, tag: string): Map<string, number> {
  const language = languageOf(tag);
  const own = new Set(termsOf(context, language));
  const aims = objectives.map(({ id, text }) => ({
    id,
    terms: queryTerms(text, language).filter((term) => !language.weakWords.has(term)),
  }));
  const worth = (terms: readonly string[]): number =>
    [...new Set(terms)].reduce((sum, term) => sum + 1 / aims.filter((aim) => aim.terms.includes(term)).length, 0);
  const scored = aims.map(({ id, terms }) => {
    const score = worth(terms.filter((term) => own.has(term)));
    return { id, score, share: score / (worth(terms) || 1) };
  });
  const best = Math.max(...scored.map(({ score }) => score));
  const near = scored.filter(({ score, share }) => share >= least.share && score >= least.ofNearest * best);
  return new Map(near.toSorted((one, other) => other.score - one.score).map(({ id, share }) => [id, share]));
}
