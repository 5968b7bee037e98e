import { setImmediate } from "node:timers/promises";
import type { Passage, SearchIndex, Source } from "@colloquy/schemas/courses/revision.ts";
import MiniSearch from "minisearch";
import { conceptsOf } from "./concepts.ts";
import { type Counted, type Field, fields, scorer } from "./scoring.ts";
import { type Language, languageOf, queryTerms, termsOf } from "./tokens.ts";

export interface RankedPassage extends Passage {
  source: Source;
  courseId: string;
  revisionId: string;
  score: number;
}

/** How readily a passage answers: explanations before tasks, and solutions after them, so that they are not given away unasked. */
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
/** Gain of the kind of passage that a question asks for by name ("formula"). */
const wantedRole = 1.8;

type Texts = Record<Field, string>;

interface Kept extends Counted {
  passage: Passage;
  source: Source;
  courseId: string;
  revisionId: string;
  /** Place in reading order, for ties. */
  order: number;
  weight: number;
}

/** The passages of every live revision whose courses are in one language, searched together so that rarity means the same in all. */
export interface PassageIndex {
  add(index: SearchIndex): Promise<void>;
  remove(courseId: string, revisionId: string): void;
  /** Best first; equal scores in reading order. @param accept which revisions may answer. */
  search(query: string, accept: (courseId: string, revisionId: string) => boolean, limit: number): RankedPassage[];
}

/** Documents added before other work gets a turn. */
const chunkSize = 40;
/** So many of the passages that share most with a question are looked at closely. */
const candidates = 150;

export function createPassageIndex(languageTag: string): PassageIndex {
  const language: Language = languageOf(languageTag);
  const kept = new Map<string, Kept>();
  const holding = new Map<string, number>();
  const totals: Record<Field, number> = { title: 0, heading: 0, text: 0, nearby: 0 };
  const engine = new MiniSearch<{ id: string } & Texts>({
    fields: [...fields],
    tokenize: (text) => termsOf(text, language),
    processTerm: (found) => found,
    searchOptions: { combineWith: "OR" },
    autoVacuum: true,
  });

  function count(entry: Kept, step: 1 | -1): void {
    for (const term of new Set([...entry.fields.text.keys(), ...entry.fields.heading.keys()]))
      holding.set(term, (holding.get(term) ?? 0) + step);
    for (const field of fields) totals[field] += step * entry.lengths[field];
  }

  const statistics = {
    get passages() {
      return kept.size;
    },
    holding: (term: string) => holding.get(term) ?? 0,
    meanLength: (field: Field) => totals[field] / kept.size,
  };
  const vocabulary = {
    known: (term: string) => statistics.holding(term) > 0,
    alike: (term: string) => [
      ...new Set(
        engine
          .search(term, { fields: ["heading", "text"], tokenize: (text) => [text], fuzzy: 0.2, maxFuzzy: 2 })
          .flatMap(({ match }) => Object.keys(match)),
      ),
    ],
  };

  function drop(id: string): void {
    const entry = kept.get(id);
    if (!entry) return;
    kept.delete(id);
    count(entry, -1);
    if (engine.has(id)) engine.discard(id);
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
        if (!source || kept.has(id)) continue;
        added.push(id);
        const title = [...source.trail.slice(1), source.title].join(" ");
        const texts = { title, heading: passage.heading, text: passage.text, nearby: nearbyText(passages, order, bySourceId) };
        const entry = {
          ...countedOf(texts, language),
          passage,
          source,
          courseId,
          revisionId,
          order,
          weight: weightOf(passage, source),
        };
        kept.set(id, entry);
        count(entry, 1);
        documents.push({ id, ...texts });
      }
      try {
        await engine.addAllAsync(documents, { chunkSize });
      } catch (error) {
        // Half of a revision would be skipped as known when it is added again.
        for (const id of added) drop(id);
        throw error;
      }
    },

    remove(courseId, revisionId) {
      for (const [id, entry] of kept) if (entry.courseId === courseId && entry.revisionId === revisionId) drop(id);
    },

    search(query, accept, limit) {
      const concepts = conceptsOf(query, language, vocabulary);
      const share = new Map(concepts.flatMap(({ terms, weight }) => [...terms].map(([term, of]) => [term, weight * of] as const)));
      const wanted = new Set(queryTerms(query, language).flatMap((term) => language.wanted.get(term) ?? []));
      const score = scorer(concepts, statistics, language.says);
      const found = engine.search([...share.keys()].join("\n"), {
        tokenize: (text) => text.split("\n"),
        boostTerm: (term) => share.get(term) ?? 1,
        filter: ({ id }) => {
          const entry = kept.get(id);
          return entry !== undefined && accept(entry.courseId, entry.revisionId);
        },
      });
      const ranked = found.slice(0, candidates).flatMap(({ id }) => {
        const entry = kept.get(id as string);
        return entry
          ? [
              {
                entry,
                score: score(entry) * entry.weight * roleWeights[entry.passage.role] * (wanted.has(entry.passage.role) ? wantedRole : 1),
              },
            ]
          : [];
      });
      return besideTheirCourse(ranked)
        .sort((a, b) => b.score - a.score || compare(a.entry.courseId, b.entry.courseId) || a.entry.order - b.entry.order)
        .slice(0, limit)
        .map(({ entry: { passage, source, courseId, revisionId }, score }) => ({ ...passage, source, courseId, revisionId, score }));
    },
  };
}

/** How many of a course's best passages say how much it has to do with a question, and how much that counts. */
const courseEvidence = { passages: 3, exponent: 0.2 };

/** A passage of a course that has more to say on the question counts more than one of a course that happens to use its words. */
function besideTheirCourse(ranked: { entry: Kept; score: number }[]): { entry: Kept; score: number }[] {
  const byCourse = new Map<string, number[]>();
  for (const { entry, score } of ranked) byCourse.set(entry.courseId, [...(byCourse.get(entry.courseId) ?? []), score]);
  if (byCourse.size < 2) return ranked;
  const evidence = new Map<string, number>();
  for (const [courseId, scores] of byCourse) {
    const best = scores.sort((a, b) => b - a).slice(0, courseEvidence.passages);
    evidence.set(
      courseId,
      best.reduce((sum, score) => sum + score, 0),
    );
  }
  const most = Math.max(...evidence.values()) || 1;
  return ranked.map(({ entry, score }) => ({
    entry,
    score: score * ((evidence.get(entry.courseId) ?? 0) / most) ** courseEvidence.exponent,
  }));
}

function countedOf(texts: Texts, language: Language): Counted {
  const counted = { fields: {}, lengths: {}, sequence: [], named: new Set() } as unknown as {
    -readonly [Key in keyof Counted]: Counted[Key];
  };
  for (const field of fields) {
    const terms = termsOf(texts[field], language);
    const counts = new Map<string, number>();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    counted.fields[field] = counts;
    counted.lengths[field] = terms.length;
    if (field === "text") counted.sequence = terms;
    if (field === "heading") counted.named = new Set(queryTerms(texts.heading, language));
  }
  return counted;
}

/** What is known of a passage before any question is. */
function weightOf(passage: Passage, source: Source): number {
  let weight = 1;
  if (onlyAsks(passage.text)) weight *= 0.4;
  if (source.trail.some((title) => /\binstructors?\b/i.test(title))) weight *= 0.6;
  return weight;
}

/** A list of questions holds the words of many questions and answers none. */
function onlyAsks(text: string): boolean {
  const sentences = text.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => sentence.trim() !== "");
  return sentences.every((sentence) => sentence.trim().endsWith("?"));
}

/** What has a label or caption of its own and belongs to the text above it. */
const belongsAbove = new Set<Passage["role"]>(["math", "code", "table", "figure"]);

/**
 * The passages right before and after under the same heading of the same topic; a solution's words say nothing of what stands beside it.
 * What has a label of its own counts as under the heading above it.
 */
function nearbyText(passages: Passage[], at: number, sources: Map<string, Source>): string {
  const own = passages[at];
  const topicOf = (passage: Passage | undefined): string | null | undefined => passage && sources.get(passage.sourceId)?.topicId;
  const texts: string[] = [];
  for (const passage of [passages[at - 1], passages[at + 1]]) {
    if (!own || !passage || passage.role === "solution" || topicOf(passage) !== topicOf(own)) continue;
    if (passage.heading === own.heading) texts.push(passage.text);
    else if (passage === passages[at - 1] && belongsAbove.has(own.role)) texts.push(`${passage.heading}\n${passage.text}`);
  }
  return texts.join("\n");
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
