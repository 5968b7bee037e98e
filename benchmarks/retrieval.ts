import { evaluationCourses } from "@colloquy/command-api/grounding/evaluation/courses.ts";
import { measure, miniSearch, ourSearch, plainBm25, type RetrievalQuality } from "@colloquy/projections/passages/evaluation/measure.ts";
import { questionedCourses, questionsOn, type RetrievalQuestion } from "@colloquy/projections/passages/evaluation/questions.ts";
import { type Benchmark, milliseconds, times } from "./benchmark.ts";

const measures: [string, (quality: RetrievalQuality) => number][] = [
  ["recall@10", ({ recall }) => recall],
  ["nDCG@10", ({ ndcg }) => ndcg],
  ["mean reciprocal rank", ({ reciprocalRank }) => reciprocalRank],
];

/** How well the passages found for hand-written questions answer them, all courses searched together. */
export async function run(): Promise<Benchmark> {
  const courses = await evaluationCourses();
  const questions = questionedCourses.flatMap(questionsOn).filter(({ course }) => courses.some(({ courseId }) => courseId === course));
  const ours = await ourSearch(courses);
  const baselines = [
    { name: "MiniSearch", search: miniSearch(courses) },
    { name: "BM25", search: plainBm25(courses) },
  ];
  const rows: Benchmark["rows"] = [];
  for (const set of ["tuning", "held-out"] as const) {
    const asked = questions.filter((question) => question.set === set);
    const quality = measure(ours, asked);
    for (const { name, search } of baselines) {
      const baseline = measure(search, asked);
      for (const [what, of] of measures)
        rows.push({
          what: `${what}, ${set} (${asked.length} questions), against ${name}`,
          value: of(quality).toFixed(3),
          baseline: of(baseline).toFixed(3),
          ratio: times(of(quality) / of(baseline)),
        });
    }
  }
  const [first] = baselines;
  if (first) {
    const [own, other] = [timeOf(ours, questions), timeOf(first.search, questions)];
    rows.push({
      what: `time for one question, against ${first.name}`,
      value: milliseconds(own),
      baseline: milliseconds(other),
      ratio: times(own / other),
    });
  }
  const passages = courses.reduce((sum, course) => sum + course.passages.length, 0);
  return {
    title: "Retrieval",
    baseline: `MiniSearch as it comes and textbook BM25 (k1 1.2, b 0.75) over the same ${passages} passages of ${courses.length} courses`,
    rows,
  };
}

/** The mean over questions that were all asked before. */
function timeOf(search: (question: string) => unknown, questions: readonly RetrievalQuestion[]): number {
  const start = performance.now();
  for (const { question } of questions) search(question);
  return (performance.now() - start) / questions.length;
}
