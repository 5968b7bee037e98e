import { setImmediate } from "node:timers/promises";
import type { Passage, SearchIndex, Source } from "@colloquy/schemas/courses/revision.ts";
import { conceptsOf } from "./concepts.ts";
import { type Candidate, type RankedPassage, rank } from "./ranking.ts";
import { type Field, scorer, type TermCounts } from "./scoring.ts";
import { createTermIndex } from "./term-index.ts";
import { type Language, languageOf, queryTerms, termsOf } from "./tokens.ts";
import type { QuestionVector } from "./vectors/question.ts";
import { createVectorTable, type QuantizedVector, type VectorOrigin, type VectorTable } from "./vectors/vector-table.ts";

/** Explanations rank before exercises and solutions, so that solutions are not given away unasked. */
const roleWeights: Record<Passage["role"], number> = {
  prose: 1,
  "key-points": 1.2,
  callout: 1,
  table: 0.95,
  math: 0.6,
  code: 0.4,
  figure: 0.3,
  exercise: 0.7,
  objectives: 0.3,
  solution: 0.7,
};
/** Factor for the kind of passage that a question asks for by name, such as "formula". */
const requestedRoleBoost = 1.8;

type Texts = Record<Field, string>;

interface IndexedPassage extends TermCounts {
  passage: Passage;
  source: Source;
  revision: IndexedRevision;
  /** Index in reading order, for ties. */
  order: number;
  /** Weight of the passage, whatever the question. */
  weight: number;
}

interface IndexedRevision {
  courseId: string;
  revisionId: string;
  /** By passage id. */
  slots: Map<string, number>;
  /** Each slot, and then the weight of its passage whatever the question. */
  places: number[];
}

/** The passages of all live revisions in one language, in one index so that term frequencies are comparable. */
export interface PassageIndex {
  add(index: SearchIndex): Promise<void>;
  /** The revision is no longer found; its memory is freed in turns of the event loop. */
  remove(courseId: string, revisionId: string): void;
  /** Sets vectors of a revision's passages, by passage id, for search by meaning. Those of another model are dropped first. */
  setVectors(courseId: string, revisionId: string, made: VectorOrigin, byPassageId: ReadonlyMap<string, QuantizedVector>): void;
  /** Forgets all vectors, before those of another model are set. */
  clearVectors(): void;
  /**
   * The passages that match best by words, and those nearest in meaning to `question`, unordered.
   * @param accept which revisions may answer.
   */
  candidates(query: SearchQuery, accept: Accept, question: QuestionVector | null): Candidate[];
  /** `candidates`, ranked. */
  search(query: SearchQuery, accept: Accept, limit: number, question?: QuestionVector | null): RankedPassage[];
}

/** A part of what is searched for, such as the question, its rewrite, or the topic of earlier questions. */
export interface WeightedQuery {
  text: string;
  /** How much the part counts beside the others; at 0 or less not at all. */
  weight: number;
}

/** A text, or several that are searched together: the scores of each, times its weight, are added. */
export type SearchQuery = string | readonly WeightedQuery[];

/** Parts that are searched for, at most: those of the highest weight. */
const maxParts = 6;

/** The parts of a query that count. */
export function partsOf(query: SearchQuery): readonly WeightedQuery[] {
  if (typeof query === "string") return [{ text: query, weight: 1 }];
  return query
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, maxParts);
}

type Accept = (courseId: string, revisionId: string) => boolean;

/** Passages added or removed before the event loop gets a turn. */
const chunkSize = 10;
/**
 * Passages found by the rarity of their words that are scored in detail, for one part of a query, and at least for each of several; and
 * those found by meaning.
 */
const candidateCount = { one: 150, each: 40, meaning: 300 };

export function createPassageIndex(languageTag: string): PassageIndex {
  const language: Language = languageOf(languageTag);
  const entries: (IndexedPassage | undefined)[] = [];
  const free: number[] = [];
  const revisions = new Map<string, IndexedRevision>();
  const terms = createTermIndex();
  let vectors: { model: string; table: VectorTable } | null = null;
  const vocabulary = { isKnown: (term: string) => terms.documentFrequency(term) > 0, similar: terms.similar };
  const keyOf = (courseId: string, revisionId: string): string => `${courseId}/${revisionId}`;

  /** Adding and removing take turns, so that a slot is not taken before it is free. */
  let changing: Promise<void> = Promise.resolve();
  function inTurn(change: () => Promise<void>): Promise<void> {
    const changed = changing.then(change);
    changing = changed.catch(() => undefined);
    return changed;
  }

  async function removeSlots(slots: Iterable<number>): Promise<void> {
    let at = 0;
    for (const slot of slots) {
      at += 1;
      if (at % chunkSize === 0) await setImmediate();
      const entry = entries[slot];
      if (!entry) continue;
      entries[slot] = undefined;
      terms.remove(slot, entry);
      vectors?.table.delete(slot);
      free.push(slot);
    }
  }

  /** The candidates for one text, and its scoring of any passage. */
  function match(text: string, priors: Float32Array, count: number) {
    const concepts = conceptsOf(text, language, vocabulary);
    const shares = new Map(concepts.flatMap(({ terms: own, weight }) => [...own].map(([term, of]) => [term, weight * of] as const)));
    const requested = new Set(queryTerms(text, language).flatMap((term) => language.requestedRoles.get(term) ?? []));
    const score = scorer(concepts, terms, language.definingVerbs);
    return {
      found: terms.best(shares, priors, count),
      score: (entry: IndexedPassage) => {
        const { role } = entry.passage;
        return score(entry) * entry.weight * roleWeights[role] * (requested.has(role) ? requestedRoleBoost : 1);
      },
    };
  }

  function candidates(query: SearchQuery, accept: Accept, question: QuestionVector | null): Candidate[] {
    const parts = partsOf(query);
    const accepted = new Set([...revisions.values()].filter(({ courseId, revisionId }) => accept(courseId, revisionId)));
    if (parts.length === 0 || accepted.size === 0) return [];
    const priors = new Float32Array(entries.length);
    for (const revision of accepted)
      for (let at = 0; at < revision.places.length; at += 2) priors[revision.places[at] as number] = revision.places[at + 1] as number;
    const count = Math.max(candidateCount.each, Math.ceil(candidateCount.one / parts.length));
    const matches = parts.map(({ text, weight }) => ({ weight, ...match(text, priors, count) }));
    const byWords = new Set(matches.flatMap(({ found }) => found));
    const table = question && vectors?.model === question.model ? vectors.table : null;
    const byMeaning = question && table ? table.nearest(question.vector, priors, candidateCount.meaning) : [];
    return [...new Set([...byWords, ...byMeaning])].map((slot) => {
      const entry = entries[slot] as IndexedPassage;
      const { passage, source, order, revision } = entry;
      return {
        passage,
        source,
        courseId: revision.courseId,
        revisionId: revision.revisionId,
        order,
        prior: priorWeight(entry),
        words: byWords.has(slot) ? matches.reduce((sum, { weight, score }) => sum + weight * score(entry), 0) : 0,
        cosine: question && table ? table.cosine(slot, question.vector) : null,
      };
    });
  }

  return {
    add: (index) =>
      inTurn(async () => {
        const { courseId, revisionId, sources, passages } = index;
        const key = keyOf(courseId, revisionId);
        if (revisions.has(key)) return;
        const bySourceId = new Map(sources.map((source) => [source.sourceId, source]));
        const revision: IndexedRevision = { courseId, revisionId, slots: new Map(), places: [] };
        try {
          for (const [order, passage] of passages.entries()) {
            if (order % chunkSize === chunkSize - 1) await setImmediate();
            const source = bySourceId.get(passage.sourceId);
            if (!source || revision.slots.has(passage.passageId)) continue;
            const title = [...source.trail.slice(1), source.title].join(" ");
            const texts = { title, heading: passage.heading, text: passage.text, nearby: nearbyText(passages, order, bySourceId) };
            const weight = hasOnlyQuestions(passage.text) ? 0.4 : 1;
            const entry = { ...countTerms(texts, language), passage, source, revision, order, weight };
            const slot = free.pop() ?? entries.length;
            entries[slot] = entry;
            revision.slots.set(passage.passageId, slot);
            revision.places.push(slot, priorWeight(entry));
            terms.add(slot, entry);
          }
        } catch (error) {
          await removeSlots(revision.slots.values());
          throw error;
        }
        revisions.set(key, revision);
      }),

    remove(courseId, revisionId) {
      const key = keyOf(courseId, revisionId);
      const revision = revisions.get(key);
      if (!revision) return;
      revisions.delete(key);
      void inTurn(() => removeSlots(revision.slots.values()));
    },

    setVectors(courseId, revisionId, { model, dimensions }, byPassageId) {
      if (vectors?.model !== model) vectors = { model, table: createVectorTable(dimensions) };
      const revision = revisions.get(keyOf(courseId, revisionId));
      for (const [passageId, vector] of byPassageId) {
        const slot = revision?.slots.get(passageId);
        if (slot !== undefined) vectors.table.set(slot, vector);
      }
    },

    clearVectors() {
      vectors = null;
    },

    candidates,
    search: (query, accept, limit, question = null) => rank(candidates(query, accept, question), limit, question),
  };
}

/** The weight of a passage for its role and form, whatever the question. */
const priorWeight = ({ weight, passage }: IndexedPassage): number => weight * roleWeights[passage.role];

function countTerms(texts: Texts, language: Language): TermCounts {
  const termsIn = (field: Field): string[] => termsOf(texts[field], language);
  const terms = { title: termsIn("title"), heading: termsIn("heading"), text: termsIn("text"), nearby: termsIn("nearby") };
  const perField = <Value>(compute: (terms: string[]) => Value): Record<Field, Value> => ({
    title: compute(terms.title),
    heading: compute(terms.heading),
    text: compute(terms.text),
    nearby: compute(terms.nearby),
  });
  return {
    fields: perField((found) => new Map([...Map.groupBy(found, (term) => term)].map(([term, all]) => [term, all.length]))),
    lengths: perField((found) => found.length),
    headingTerms: new Set(queryTerms(texts.heading, language)),
    sequence: terms.text,
  };
}

/** A list of questions matches many questions and answers none. */
function hasOnlyQuestions(text: string): boolean {
  const sentences = text.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => sentence.trim() !== "");
  return sentences.every((sentence) => sentence.trim().endsWith("?"));
}

/** Roles with a label of their own that belong to the text above them. */
const rolesExplainedAbove = new Set<Passage["role"]>(["math", "code", "table", "figure"]);

/**
 * The text of the adjacent passages under the same heading of the same topic. Solutions are left out, because their words do not describe
 * their neighbours. A passage with a label of its own counts as under the heading above it.
 */
function nearbyText(passages: Passage[], at: number, sources: Map<string, Source>): string {
  const own = passages[at];
  const topicOf = (passage: Passage | undefined): string | null | undefined => passage && sources.get(passage.sourceId)?.topicId;
  const texts: string[] = [];
  for (const passage of [passages[at - 1], passages[at + 1]]) {
    if (!own || !passage || passage.role === "solution" || topicOf(passage) !== topicOf(own)) continue;
    if (passage.heading === own.heading) texts.push(passage.text);
    else if (passage === passages[at - 1] && rolesExplainedAbove.has(own.role)) texts.push(`${passage.heading}\n${passage.text}`);
  }
  return texts.join("\n");
}
