import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { evaluationCourses } from "@colloquy/command-api/grounding/evaluation/courses.ts";
import { unitVector } from "@colloquy/infra/embeddings/embedder.ts";
import { shippedModel, shippedModelKey } from "@colloquy/infra/embeddings/shipped-model.ts";
import { miniSearch } from "@colloquy/projections/passages/evaluation/measure.ts";
import { questionedCourses, questionsOn } from "@colloquy/projections/passages/evaluation/questions.ts";
import { createPassageIndex, type PassageIndex } from "@colloquy/projections/passages/passage-index.ts";
import { type QuestionVector, shippedNoise } from "@colloquy/projections/passages/vectors/question.ts";
import { shippedVectors } from "@colloquy/projections/passages/vectors/shipped-vectors.ts";
import { type QuantizedVector, quantized } from "@colloquy/projections/passages/vectors/vector-table.ts";
import type { SearchIndex } from "@colloquy/schemas/courses/revision.ts";
import { type Benchmark, milliseconds, percentile, sized, times } from "./benchmark.ts";

const passages = sized(50_000, 3_000);
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;

/** Many courses: copies of the evaluation courses, in each of which a third of the longer words is another one. */
function* manyCourses(courses: readonly SearchIndex[]): Generator<SearchIndex> {
  for (let count = 0, copy = 0; count < passages; copy += 1)
    for (const course of courses) {
      if (count >= passages) return;
      const altered = (text: string): string =>
        text.replaceAll(/\p{L}{6,}/gu, (word) => ((word.length + word.charCodeAt(0) + copy) % 3 === 0 ? `${word}x${copy % 7}` : word));
      const own = course.passages.map((passage) => ({ ...passage, text: copy === 0 ? passage.text : altered(passage.text) }));
      yield { ...course, courseId: `${course.courseId}-${copy}`, passages: own };
      count += course.passages.length;
    }
}

/** Vectors around those of the demonstration courses. */
function vectorsAround(base: readonly QuantizedVector[]): () => QuantizedVector {
  let made = 0;
  return () => {
    const { codes } = base[made++ % base.length] as QuantizedVector;
    return quantized(unitVector(Float32Array.from(codes, (code) => code + 40 * (Math.random() - 0.5))));
  };
}

/** Search among 50,000 passages: time, how long the event loop is held, and memory. */
export async function run(): Promise<Benchmark> {
  const all = questionedCourses.flatMap(questionsOn).map(({ question }) => question);
  const questions = all.slice(0, sized(all.length, 30));
  const base = [...((await shippedVectors(shippedModelKey))?.vectors.values() ?? [])];
  const courses = [...manyCourses(await evaluationCourses())];
  const used = (): number => {
    globalThis.gc?.();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const start = used();
  const index = createPassageIndex("en");
  for (const course of courses) await index.add(course);
  const withWords = used();
  const nextVector = vectorsAround(base);
  for (const course of courses) setVectors(index, course, nextVector);
  const withVectors = used();

  const rss = process.memoryUsage.rss();
  const model = shippedModel();
  const vectors: QuestionVector[] = [];
  const embedding: number[] = [];
  await model.warmUp?.();
  for (const question of questions) {
    const began = performance.now();
    const [vector] = await model.embed([question], { purpose: "question" });
    embedding.push(performance.now() - began);
    if (vector) vectors.push({ model: shippedModelKey, vector, noise: shippedNoise });
  }
  const ofModel = process.memoryUsage.rss() - rss;
  await model.close();

  const timesOf = (search: (at: number) => unknown): number[] => {
    for (const at of questions.keys()) search(at);
    return [...questions.keys(), ...questions.keys()].map((at) => {
      const began = process.threadCpuUsage();
      search(at);
      const { user, system } = process.threadCpuUsage(began);
      return (user + system) / 1_000;
    });
  };
  const everything = () => true;
  const both = timesOf((at) => index.search(questions[at] ?? "", everything, 20, vectors[at]));
  const words = timesOf((at) => index.search(questions[at] ?? "", everything, 20));
  const parts = timesOf((at) =>
    index.search(
      [0, 1, 2].map((more) => ({ text: questions[(at + more) % questions.length] ?? "", weight: 1 / (more + 1) })),
      everything,
      20,
      vectors[at],
    ),
  );
  const held = await heldWhilePublishing(index, courses, nextVector);
  const plain = miniSearch(courses);
  const mini = timesOf((at) => plain(questions[at] ?? ""));

  const row = (what: string, ours: readonly number[], baseline: readonly number[], share: number): Benchmark["rows"][number] => {
    const [own, other] = [percentile(ours, share), percentile(baseline, share)];
    return { what, value: milliseconds(own), baseline: milliseconds(other), ratio: times(own / other) };
  };
  return {
    title: "Search among 50,000 passages",
    baseline: "MiniSearch as it comes, over the same passages",
    rows: [
      row("median of a search by words and meaning, besides embedding the question", both, mini, 0.5),
      row("99th percentile", both, mini, 0.99),
      row("99th percentile by words alone", words, mini, 0.99),
      row("99th percentile of three weighted texts at once", parts, mini, 0.99),
      {
        what: "embedding a question: median, 99th percentile",
        value: `${milliseconds(percentile(embedding, 0.5))}, ${milliseconds(percentile(embedding, 0.99))}`,
      },
      { what: "longest hold of the event loop while a course is published and its vectors are set", value: milliseconds(held) },
      { what: "memory of the vectors", value: megabytes(withVectors - withWords), baseline: `words: ${megabytes(withWords - start)}` },
      { what: "memory of the model and its thread", value: megabytes(ofModel) },
    ],
    note: "Times of searches and holds are processor time of their thread, so that other work on the machine does not count. Run with `node --expose-gc` for exact figures of memory. Bounds: 25 ms at the 99th percentile, 20 ms for the event loop, 150 MB.",
  };
}

function setVectors(index: PassageIndex, { courseId, revisionId, passages: own }: SearchIndex, next: () => QuantizedVector): void {
  index.setVectors(
    courseId,
    revisionId,
    { model: shippedModelKey, dimensions: 384 },
    new Map(own.map(({ passageId }) => [passageId, next()])),
  );
}

/** Publishes the longest course again, and returns the most processor time of one turn of the event loop meanwhile (ms). */
async function heldWhilePublishing(index: PassageIndex, courses: readonly SearchIndex[], next: () => QuantizedVector): Promise<number> {
  const longest = courses.toSorted((a, b) => b.passages.length - a.passages.length)[0];
  if (!longest) return 0;
  const made = new Map(longest.passages.map(({ passageId }) => [passageId, next()]));
  let most = 0;
  let done = false;
  const watching = (async () => {
    while (!done) {
      const began = process.threadCpuUsage();
      await setImmediate();
      const { user, system } = process.threadCpuUsage(began);
      most = Math.max(most, (user + system) / 1_000);
    }
  })();
  await index.add({ ...longest, revisionId: "revision-next" });
  // As many at once as a long topic has.
  const all = [...made];
  for (let from = 0; from < all.length; from += 100) {
    index.setVectors(longest.courseId, "revision-next", { model: shippedModelKey, dimensions: 384 }, new Map(all.slice(from, from + 100)));
    await setImmediate();
  }
  index.remove(longest.courseId, longest.revisionId);
  await sleep(500);
  done = true;
  await watching;
  return most;
}
