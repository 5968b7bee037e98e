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
  /** Of the page's objectives those with which it has most words in common, the nearest first; none where it has none. */
  objectiveIds: readonly string[];
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
      objectiveIds: nearestObjectives(topic, context, language),
      question,
      sourceIds: [...new Set(question.about.flatMap((blockId) => byBlock.get(blockId)?.map(({ sourceId }) => sourceId) ?? []))],
    }));
  });
}

/** Share of the nearest objective's words from which a question is about another one, too. */
const alsoAbout = 0.6;

/** The only objective of a page, else by the words of their names, those most that no other one has. */
function nearestObjectives({ objectives }: Topic, context: string, tag: string): string[] {
  const [only, ...others] = objectives;
  if (others.length === 0) return only ? [only.id] : [];
  const language = languageOf(tag);
  const own = new Set(termsOf(context, language));
  const aims = objectives.map(({ id, text }) => ({ id, terms: new Set(queryTerms(text, language)) }));
  const rarity = (term: string): number => 1 / aims.filter(({ terms }) => terms.has(term)).length;
  const scored = aims.map(({ id, terms }) => {
    const met = [...terms].filter((term) => own.has(term) && !language.weakWords.has(term));
    return { id, score: met.reduce((sum, term) => sum + rarity(term), 0) };
  });
  const best = Math.max(...scored.map(({ score }) => score));
  const near = scored.filter(({ score }) => score > 0 && score >= alsoAbout * best);
  return near.toSorted((one, other) => other.score - one.score).map(({ id }) => id);
}
