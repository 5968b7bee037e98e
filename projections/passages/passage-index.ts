import type { Passage, SearchIndex, Source } from "@colloquy/schemas/courses/revision.ts";
import MiniSearch from "minisearch";
import { type Language, languageOf, queryTerms, termsOf } from "./tokens.ts";

export interface RankedPassage extends Passage {
  source: Source;
  courseId: string;
  revisionId: string;
  score: number;
}

/**
 * How much a term counts by where it stands; `nearby` is the text right before and after, which says what a short passage (a command,
 * a formula) is about. These and the two below are the best of a grid over the questions in `evaluation/` (`npm run bench -- retrieval`).
 */
const fieldBoosts = { title: 0.4, heading: 0.7, text: 1, nearby: 0.2 };
/** How much longer texts are discounted (BM25's b), less than usual: passages are all short. */
const bm25 = { k: 1.2, b: 0.4, d: 0.5 };
/** How much more than proportionally a passage gains that has more of the question's terms. */
const coverageExponent = 0.5;

/** How readily a passage answers: explanations before tasks, and solutions last, so that they are not given away unasked. */
const roleWeights: Record<Passage["role"], number> = {
  prose: 1,
  "key-points": 1,
  callout: 0.95,
  table: 0.95,
  math: 0.9,
  code: 0.85,
  figure: 0.8,
  exercise: 0.7,
  objectives: 0.6,
  solution: 0.5,
};

interface Document {
  id: string;
  title: string;
  heading: string;
  text: string;
  nearby: string;
}

interface Kept {
  passage: Passage;
  source: Source;
  courseId: string;
  revisionId: string;
  /** Place in reading order, for ties. */
  order: number;
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

export function createPassageIndex(languageTag: string): PassageIndex {
  const language: Language = languageOf(languageTag);
  const kept = new Map<string, Kept>();
  const engine = new MiniSearch<Document>({
    fields: ["title", "heading", "text", "nearby"],
    tokenize: (text) => termsOf(text, language),
    processTerm: (found) => found,
    searchOptions: { boost: fieldBoosts, bm25, combineWith: "OR", tokenize: (query) => queryTerms(query, language) },
    autoVacuum: true,
  });

  return {
    async add({ courseId, revisionId, sources, passages }) {
      const bySourceId = new Map(sources.map((source) => [source.sourceId, source]));
      const documents: Document[] = [];
      for (const [order, passage] of passages.entries()) {
        const source = bySourceId.get(passage.sourceId);
        const id = `${courseId}/${revisionId}/${passage.passageId}`;
        if (!source || kept.has(id)) continue;
        kept.set(id, { passage, source, courseId, revisionId, order });
        const title = [...source.trail.slice(1), source.title].join(" ");
        documents.push({ id, title, heading: passage.heading, text: passage.text, nearby: nearbyText(passages, order, bySourceId) });
      }
      await engine.addAllAsync(documents, { chunkSize });
    },

    remove(courseId, revisionId) {
      for (const [id, entry] of kept)
        if (entry.courseId === courseId && entry.revisionId === revisionId) {
          kept.delete(id);
          if (engine.has(id)) engine.discard(id);
        }
    },

    search(query, accept, limit) {
      const options = {
        filter: ({ id }: { id: string }) => {
          const entry = kept.get(id);
          return entry !== undefined && accept(entry.courseId, entry.revisionId);
        },
        boostDocument: (id: string) => roleWeights[kept.get(id)?.passage.role ?? "prose"],
      };
      const exact = engine.search(query, options);
      // Misspelt words are looked for only where nothing fits as it is written.
      const found = exact.length > 0 ? exact : engine.search(query, { ...options, fuzzy: 0.2, prefix: (word) => word.length > 3 });
      const asked = Math.max(queryTerms(query, language).length, 1);
      return found
        .flatMap(({ id, score, queryTerms: matched }) => {
          const entry = kept.get(id as string);
          return entry ? [{ entry, score: score * (matched.length / asked) ** coverageExponent }] : [];
        })
        .sort((a, b) => b.score - a.score || compare(a.entry.courseId, b.entry.courseId) || a.entry.order - b.entry.order)
        .slice(0, limit)
        .map(({ entry: { passage, source, courseId, revisionId }, score }) => ({ ...passage, source, courseId, revisionId, score }));
    },
  };
}

/** The passages right before and after under the same heading of the same topic; a solution's words say nothing of what stands beside it. */
function nearbyText(passages: Passage[], at: number, sources: Map<string, Source>): string {
  const own = passages[at];
  const topicOf = (passage: Passage | undefined): string | null | undefined => passage && sources.get(passage.sourceId)?.topicId;
  return [passages[at - 1], passages[at + 1]]
    .flatMap((passage) =>
      passage && passage.role !== "solution" && passage.heading === own?.heading && topicOf(passage) === topicOf(own) ? [passage.text] : [],
    )
    .join("\n");
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
