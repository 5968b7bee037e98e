import { setImmediate } from "node:timers/promises";
import type { Passage, SearchIndex, Source } from "@colloquy/schemas/courses/revision.ts";
import MiniSearch from "minisearch";
import { conceptsOf } from "./concepts.ts";
import { type Field, fields, scorer, type TermCounts } from "./scoring.ts";
import { type Language, languageOf, queryTerms, termsOf } from "./tokens.ts";

export interface RankedPassage extends Passage {
  source: Source;
  courseId: string;
  revisionId: string;
  score: number;
}

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
  courseId: string;
  revisionId: string;
  /** Index in reading order, for ties. */
  order: number;
  weight: number;
}

/** The passages of all live revisions in one language, in one index so that term frequencies are comparable. */
export interface PassageIndex {
  add(index: SearchIndex): Promise<void>;
  remove(courseId: string, revisionId: string): void;
  /**
   * Best first; equal scores in reading order.
   * @param accept which revisions may answer.
   */
  search(query: SearchQuery, accept: Accept, limit: number): RankedPassage[];
}

/** A part of what is searched for, such as the question, its rewrite, or the topic of earlier questions. */
export interface WeightedQuery {
  text: string;
  /** How much the part counts beside the others; at 0 or less not at all. */
  weight: number;
}

/** A text, or several that are searched together: the scores of each, times its weight, are added. */
export type SearchQuery = string | readonly WeightedQuery[];

type Accept = (courseId: string, revisionId: string) => boolean;

/** Documents added before the event loop gets a turn. */
const chunkSize = 40;
/** Passages of the first search that are scored in detail. */
const candidates = 150;

export function createPassageIndex(languageTag: string): PassageIndex {
  const language: Language = languageOf(languageTag);
  const entries = new Map<string, IndexedPassage>();
  const frequencies = new Map<string, number>();
  const totals: Record<Field, number> = { title: 0, heading: 0, text: 0, nearby: 0 };
  const engine = new MiniSearch<{ id: string } & Texts>({
    fields: [...fields],
    tokenize: (text) => termsOf(text, language),
    processTerm: (found) => found,
    searchOptions: { combineWith: "OR" },
    autoVacuum: true,
  });

  function count(entry: IndexedPassage, step: 1 | -1): void {
    for (const term of new Set([...entry.fields.text.keys(), ...entry.fields.heading.keys()]))
      frequencies.set(term, (frequencies.get(term) ?? 0) + step);
    for (const field of fields) totals[field] += step * entry.lengths[field];
  }

  const statistics = {
    get passages() {
      return entries.size;
    },
    documentFrequency: (term: string) => frequencies.get(term) ?? 0,
    meanLength: (field: Field) => totals[field] / entries.size,
  };
  const vocabulary = {
    isKnown: (term: string) => statistics.documentFrequency(term) > 0,
    similar: (term: string) => [
      ...new Set(
        engine
          .search(term, { fields: ["heading", "text"], tokenize: (text) => [text], fuzzy: 0.2, maxFuzzy: 2 })
          .flatMap(({ match }) => Object.keys(match)),
      ),
    ],
  };

  function drop(id: string): void {
    const entry = entries.get(id);
    if (!entry) return;
    entries.delete(id);
    count(entry, -1);
    if (engine.has(id)) engine.discard(id);
  }

  /** The candidates for one text, and its scoring of any passage. */
  function rank(text: string, accept: Accept): { found: IndexedPassage[]; score(entry: IndexedPassage): number } {
    const concepts = conceptsOf(text, language, vocabulary);
    const share = new Map(concepts.flatMap(({ terms, weight }) => [...terms].map(([term, of]) => [term, weight * of] as const)));
    const requested = new Set(queryTerms(text, language).flatMap((term) => language.requestedRoles.get(term) ?? []));
    const score = scorer(concepts, statistics, language.definingVerbs);
    const found = engine.search([...share.keys()].join("\n"), {
      tokenize: (terms) => terms.split("\n"),
      boostTerm: (term) => share.get(term) ?? 1,
      filter: ({ id }) => {
        const entry = entries.get(id);
        return entry !== undefined && accept(entry.courseId, entry.revisionId);
      },
    });
    return {
      found: found.slice(0, candidates).flatMap(({ id }) => entries.get(id as string) ?? []),
      score: (entry) => {
        const { role } = entry.passage;
        return score(entry) * entry.weight * roleWeights[role] * (requested.has(role) ? requestedRoleBoost : 1);
      },
    };
  }

  return {
    async add({ courseId, revisionId, sources, passages }) {
      const bySourceId = new Map(sources.map((source) => [source.sourceId, source]));
      const documents: ({ id: string } & Texts)[] = [];
      const added: string[] = [];
      for (const [order, passage] of passages.entries()) {
        if (order % chunkSize === chunkSize - 1) await setImmediate();
        const source = bySourceId.get(passage.sourceId);
        const id = `${courseId}/${revisionId}/${passage.passageId}`;
        if (!source || entries.has(id)) continue;
        added.push(id);
        const title = [...source.trail.slice(1), source.title].join(" ");
        const texts = { title, heading: passage.heading, text: passage.text, nearby: nearbyText(passages, order, bySourceId) };
        const entry = {
          ...countTerms(texts, language),
          passage,
          source,
          courseId,
          revisionId,
          order,
          weight: hasOnlyQuestions(passage.text) ? 0.4 : 1,
        };
        entries.set(id, entry);
        count(entry, 1);
        documents.push({ id, ...texts });
      }
      try {
        await engine.addAllAsync(documents, { chunkSize });
      } catch (error) {
        // Otherwise a retry would skip the part of the revision that was already added.
        for (const id of added) drop(id);
        throw error;
      }
    },

    remove(courseId, revisionId) {
      for (const [id, entry] of entries) if (entry.courseId === courseId && entry.revisionId === revisionId) drop(id);
    },

    search(query, accept, limit) {
      const parts = typeof query === "string" ? [{ text: query, weight: 1 }] : query.filter(({ weight }) => weight > 0);
      const scores = new Map<IndexedPassage, number>();
      const scorers: ((entry: IndexedPassage) => number)[] = [];
      for (const { text, weight } of parts) {
        const { found, score } = rank(text, accept);
        for (const entry of found) scores.set(entry, 0);
        scorers.push((entry) => weight * score(entry));
      }
      for (const entry of scores.keys())
        scores.set(
          entry,
          scorers.reduce((sum, score) => sum + score(entry), 0),
        );
      const ranked = [...scores].map(([entry, score]) => ({ entry, score }));
      return weightedByCourse(ranked)
        .sort((a, b) => b.score - a.score || compare(a.entry.courseId, b.entry.courseId) || a.entry.order - b.entry.order)
        .slice(0, limit)
        .map(({ entry: { passage, source, courseId, revisionId }, score }) => ({ ...passage, source, courseId, revisionId, score }));
    },
  };
}

/** Number of a course's best passages that measure its relevance to a question, and the exponent of that factor. */
const courseRelevance = { passages: 3, exponent: 0.2 };

/** Raises passages of courses that are relevant to the question over those of courses that only share some words. */
function weightedByCourse(ranked: { entry: IndexedPassage; score: number }[]): { entry: IndexedPassage; score: number }[] {
  const byCourse = new Map<string, number[]>();
  for (const { entry, score } of ranked) byCourse.set(entry.courseId, [...(byCourse.get(entry.courseId) ?? []), score]);
  if (byCourse.size < 2) return ranked;
  const relevance = new Map<string, number>();
  for (const [courseId, scores] of byCourse) {
    const best = scores.sort((a, b) => b - a).slice(0, courseRelevance.passages);
    relevance.set(
      courseId,
      best.reduce((sum, score) => sum + score, 0),
    );
  }
  const most = Math.max(...relevance.values()) || 1;
  return ranked.map(({ entry, score }) => ({
    entry,
    score: score * ((relevance.get(entry.courseId) ?? 0) / most) ** courseRelevance.exponent,
  }));
}

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

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
