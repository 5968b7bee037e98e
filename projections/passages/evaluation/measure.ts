import type { SearchIndex } from "@colloquy/schemas/courses/revision.ts";
import MiniSearch from "minisearch";
import { createPassageIndex } from "../passage-index.ts";
import { type RetrievalQuestion, retrievalQuestions } from "./questions.ts";

export type CourseName = keyof typeof retrievalQuestions;

export interface RetrievalQuality {
  questions: number;
  /** Mean of 1/rank of the first passage that answers, among the first ten; 0 when none does. */
  meanReciprocalRank: number;
  /** Shares of questions answered by the first passage, and by one of the first ten. */
  first: number;
  firstTen: number;
  millisecondsPerQuestion: number;
}

type Search = (question: string) => { text: string }[];
const looked = 10;

/** The product's search over all the courses at once. */
export async function ourSearch(courses: Map<CourseName, SearchIndex>): Promise<Search> {
  const index = createPassageIndex("en");
  for (const course of courses.values()) await index.add(course);
  return (question) => index.search(question, () => true, looked);
}

/** Plain BM25 over the same passages: MiniSearch with nothing set. */
export function plainSearch(courses: Map<CourseName, SearchIndex>): Search {
  const texts = [...courses.values()].flatMap(({ passages }) => passages.map(({ text }) => text));
  const engine = new MiniSearch({ fields: ["text"] });
  engine.addAll(texts.map((text, id) => ({ id, text })));
  return (question) =>
    engine
      .search(question)
      .slice(0, looked)
      .map(({ id }) => ({ text: texts[id as number] ?? "" }));
}

export function measure(search: Search, names: Iterable<CourseName>): RetrievalQuality {
  const questions: RetrievalQuestion[] = [...names].flatMap((name) => retrievalQuestions[name]);
  const start = performance.now();
  const ranks = questions.map(({ question, answeredBy }) => search(question).findIndex(({ text }) => answeredBy.test(text)));
  const elapsed = performance.now() - start;
  const share = (holds: (rank: number) => boolean): number => ranks.filter(holds).length / ranks.length;
  return {
    questions: questions.length,
    meanReciprocalRank: ranks.reduce((sum, rank) => sum + (rank < 0 ? 0 : 1 / (rank + 1)), 0) / ranks.length,
    first: share((rank) => rank === 0),
    firstTen: share((rank) => rank >= 0),
    millisecondsPerQuestion: elapsed / questions.length,
  };
}
