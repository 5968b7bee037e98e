import { evaluationCourses } from "@colloquy/command-api/grounding/evaluation/courses.ts";
import { demonstrationCourses } from "@colloquy/infra/demo/courses.ts";
import { shippedModel, shippedModelKey } from "@colloquy/infra/embeddings/shipped-model.ts";
import {
  measure,
  miniSearch,
  ourSearch,
  plainBm25,
  type RetrievalQuality,
  type Search,
  searchByMeaning,
} from "@colloquy/projections/passages/evaluation/measure.ts";
import { questionedCourses, questionsOn, type RetrievalQuestion } from "@colloquy/projections/passages/evaluation/questions.ts";
import { shippedVectors } from "@colloquy/projections/passages/vectors/shipped-vectors.ts";
import { type Benchmark, milliseconds, sized, times } from "./benchmark.ts";

const measures: [string, (quality: RetrievalQuality) => number][] = [
  ["recall@10", ({ recall }) => recall],
  ["nDCG@10", ({ ndcg }) => ndcg],
  ["mean reciprocal rank", ({ reciprocalRank }) => reciprocalRank],
];

/** How well the passages found for hand-written questions answer them, all courses searched together. */
export async function run(): Promise<Benchmark> {
  const evaluated = await evaluationCourses();
  // The demonstration courses come with their vectors; making those of others takes most of a minute.
  const courses = sized(evaluated, evaluated.slice(0, demonstrationCourses.length));
  const all = questionedCourses.flatMap(questionsOn).filter(({ course }) => courses.some(({ courseId }) => courseId === course));
  const questions = all.filter((_, at) => at % sized(1, 20) === 0);
  const model = shippedModel();
  const ours = await searchByMeaning(courses, model, await shippedVectors(shippedModelKey));
  const words = await ourSearch(courses);
  const baselines = [
    { name: "our search by words", search: words },
    { name: "MiniSearch", search: miniSearch(courses) },
    { name: "BM25", search: plainBm25(courses) },
  ];
  const rows: Benchmark["rows"] = [];
  for (const set of ["tuning", "held-out"] as const) {
    const asked = questions.filter((question) => question.set === set);
    const quality = await measure(ours, asked);
    for (const { name, search } of baselines) {
      const baseline = await measure(search, asked);
      for (const [what, of] of measures)
        rows.push({
          what: `${what}, ${set} (${asked.length} questions), against ${name}`,
          value: of(quality).toFixed(3),
          baseline: of(baseline).toFixed(3),
          ratio: times(of(quality) / of(baseline)),
        });
    }
  }
  for (const { name, search } of baselines.slice(0, 2)) {
    const [own, other] = [await timeOf(ours, questions), await timeOf(search, questions)];
    rows.push({
      what: `time for one question, with embedding it, against ${name}`,
      value: milliseconds(own),
      baseline: milliseconds(other),
      ratio: times(own / other),
    });
  }
  await model.close();
  const passages = courses.reduce((sum, course) => sum + course.passages.length, 0);
  return {
    title: "Retrieval",
    baseline: `our search by words alone, MiniSearch as it comes and textbook BM25 (k1 1.2, b 0.75) over the same ${passages} passages of ${courses.length} courses`,
    rows,
  };
}

/** The mean over questions that were all asked before. */
async function timeOf(search: Search, questions: readonly RetrievalQuestion[]): Promise<number> {
  const start = performance.now();
  for (const { question } of questions) await search(question);
  return (performance.now() - start) / questions.length;
}
