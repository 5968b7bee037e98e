import type { Embedder } from "@colloquy/infra/embeddings/embedder.ts";
import { passagesForLearners } from "@colloquy/schemas/courses/audience.ts";
import type { SearchIndex } from "@colloquy/schemas/courses/revision.ts";
import MiniSearch from "minisearch";
import { createPassageIndex } from "../passage-index.ts";
import { noiseOf } from "../vectors/question.ts";
import { extended, textGroups, type VectorSet, vectorsByPassage } from "../vectors/vector-set.ts";
import type { RetrievalQuestion } from "./questions.ts";

/** Measures of the first ten passages found, each the mean over the questions, 0 to 1. */
export interface RetrievalQuality {
  questions: number;
  /** Share of the passages that answer (grade 2) which are among them. */
  recall: number;
  /** Normalised discounted cumulative gain, with gains of 3 for what answers and 1 for what helps. */
  ndcg: number;
  /** 1/rank of the first passage that answers; 0 when none does. */
  reciprocalRank: number;
}

/** Finds texts of passages, best first. */
export type Search = (question: string) => { text: string }[] | Promise<{ text: string }[]>;
const looked = 10;

/** The product's search over all the courses at once, by words. */
export async function ourSearch(courses: readonly SearchIndex[]): Promise<Search> {
  const index = createPassageIndex("en");
  for (const course of courses) await index.add(passagesForLearners(course));
  return (question) => index.search(question, () => true, looked);
}

/**
 * The product's search by words and meaning.
 * @param known vectors that need not be made
 */
export async function searchByMeaning(courses: readonly SearchIndex[], embedder: Embedder, known: VectorSet | null): Promise<Search> {
  const index = createPassageIndex("en");
  for (const course of courses.map(passagesForLearners)) {
    await index.add(course);
    const { courseId, revisionId } = course;
    for (const { texts } of await textGroups(course)) {
      const missing = [...texts].filter(([digest]) => !known?.vectors.has(digest));
      const made = await embedder.embed(
        missing.map(([, { text }]) => text),
        { purpose: "passage" },
      );
      const set = extended(
        known,
        missing.map(([digest]) => digest),
        made,
      );
      index.setVectors(courseId, revisionId, { model: embedder.key, dimensions: set.dimensions }, vectorsByPassage(texts, set));
    }
  }
  const noise = await noiseOf(embedder);
  return async (question) => {
    const [vector] = await embedder.embed([question], { purpose: "question" });
    return index.search(question, () => true, looked, vector ? { model: embedder.key, vector, noise } : null);
  };
}

/** MiniSearch as it comes, over the fields a passage has. */
export function miniSearch(courses: readonly SearchIndex[]): Search {
  const documents = courses.flatMap(({ passages, sources }) => {
    const titles = new Map(sources.map(({ sourceId, trail, title }) => [sourceId, [...trail.slice(1), title].join(" ")]));
    return passages.map(({ sourceId, heading, text }) => ({ title: titles.get(sourceId) ?? "", heading, text }));
  });
  const engine = new MiniSearch({ fields: ["title", "heading", "text"] });
  engine.addAll(documents.map((document, id) => ({ id, ...document })));
  return (question) =>
    engine
      .search(question)
      .slice(0, looked)
      .map(({ id }) => ({ text: documents[id as number]?.text ?? "" }));
}

/** BM25 as in the textbook (k1 1.2, b 0.75): one field, words as they are written, case aside. */
export function plainBm25(courses: readonly SearchIndex[]): Search {
  const [k1, b] = [1.2, 0.75];
  const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const documents = courses.flatMap(({ passages }) =>
    passages.map(({ text }) => {
      const words = wordsOf(text);
      const counts = new Map<string, number>();
      for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
      return { text, counts, length: words.length };
    }),
  );
  const meanLength = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  const holding = new Map<string, number>();
  for (const { counts } of documents) for (const word of counts.keys()) holding.set(word, (holding.get(word) ?? 0) + 1);
  const rarity = (word: string): number => {
    const n = holding.get(word) ?? 0;
    return Math.log(1 + (documents.length - n + 0.5) / (n + 0.5));
  };
  return (question) => {
    const asked = wordsOf(question);
    return documents
      .map(({ text, counts, length }) => ({
        text,
        score: asked.reduce((sum, word) => {
          const count = counts.get(word) ?? 0;
          return sum + (rarity(word) * count * (k1 + 1)) / (count + k1 * (1 - b + (b * length) / meanLength));
        }, 0),
      }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score)
      .slice(0, looked);
  };
}

/** How well a search does on these questions. */
export async function measure(search: Search, questions: readonly RetrievalQuestion[]): Promise<RetrievalQuality> {
  const each: Omit<RetrievalQuality, "questions">[] = [];
  for (const question of questions) each.push(measureOne(await search(question.question), question));
  const mean = (of: (one: (typeof each)[number]) => number): number => each.reduce((sum, one) => sum + of(one), 0) / each.length;
  return {
    questions: questions.length,
    recall: mean(({ recall }) => recall),
    ndcg: mean(({ ndcg }) => ndcg),
    reciprocalRank: mean(({ reciprocalRank }) => reciprocalRank),
  };
}

function measureOne(found: readonly { text: string }[], { relevant }: RetrievalQuestion): Omit<RetrievalQuality, "questions"> {
  const grades = found.map(({ text }) => {
    const folded = text.replaceAll(/\s+/g, " ");
    return Math.max(0, ...relevant.filter(({ phrase }) => folded.includes(phrase)).map(({ grade }) => grade));
  });
  const ideal = relevant.map(({ grade }) => grade as number).sort((one, other) => other - one);
  const answering = relevant.filter(({ grade }) => grade === 2).length;
  const first = grades.indexOf(2);
  return {
    recall: grades.filter((grade) => grade === 2).length / answering,
    ndcg: gain(grades) / gain(ideal.slice(0, looked)),
    reciprocalRank: first < 0 ? 0 : 1 / (first + 1),
  };
}

/** Discounted cumulative gain (Järvelin and Kekäläinen; gains 2^grade − 1). */
const gain = (grades: readonly number[]): number => grades.reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0);
