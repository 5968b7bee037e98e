import { importCarpentries } from "@colloquy/command-api/publication/import/carpentries/importer.ts";
import type { Importer } from "@colloquy/command-api/publication/import/importer.ts";
import { realCourse } from "@colloquy/command-api/publication/import/markdown/testing/folders.ts";
import { importMdBook } from "@colloquy/command-api/publication/import/mdbook/importer.ts";
import { importNative } from "@colloquy/command-api/publication/import/native.ts";
import { buildSearchIndex } from "@colloquy/command-api/publication/search-index.ts";
import { demonstrationCourses } from "@colloquy/infra/demo/courses.ts";
import {
  type CourseName,
  measure,
  ourSearch,
  plainSearch,
  type RetrievalQuality,
} from "@colloquy/projections/passages/evaluation/measure.ts";
import type { SearchIndex } from "@colloquy/schemas/courses/revision.ts";
import { type Benchmark, milliseconds, times } from "./benchmark.ts";

/** How well the passages found for hand-written questions answer them; the questions name no passage, only words an answer holds. */
export async function run(): Promise<Benchmark> {
  const courses = new Map<CourseName, SearchIndex>();
  const add = async (name: CourseName, importer: Importer, folder: string | null): Promise<void> => {
    if (folder !== null)
      courses.set(name, buildSearchIndex((await importer(folder, { courseId: name, previous: null })).course, "revision-1"));
  };
  for (const { courseId, folder } of demonstrationCourses) await add(courseId as CourseName, importNative, folder);
  await add("shell-novice", importCarpentries, realCourse("shell-novice"));
  await add("theorem-proving-in-lean", importMdBook, realCourse("theorem-proving-in-lean"));

  const [ours, plain] = [await ourSearch(courses), plainSearch(courses)];
  for (const search of [ours, plain]) measure(search, courses.keys());
  const [measured, baseline] = [measure(ours, courses.keys()), measure(plain, courses.keys())];
  const passages = [...courses.values()].reduce((sum, course) => sum + course.passages.length, 0);
  const row = (what: string, of: (quality: RetrievalQuality) => number, text: (value: number) => string) => ({
    what,
    value: text(of(measured)),
    baseline: text(of(baseline)),
    ratio: times(of(measured) / of(baseline)),
  });
  const percent = (value: number): string => `${Math.round(value * 100)} %`;
  return {
    title: "Retrieval",
    baseline: `MiniSearch with nothing set (plain BM25) over the same ${passages} passages of ${courses.size} courses, ${measured.questions} questions`,
    rows: [
      row(
        "mean reciprocal rank of the first passage that answers",
        (quality) => quality.meanReciprocalRank,
        (value) => value.toFixed(3),
      ),
      row("the first passage answers", (quality) => quality.first, percent),
      row("one of the first ten answers", (quality) => quality.firstTen, percent),
      row("time for one question", (quality) => quality.millisecondsPerQuestion, milliseconds),
    ],
  };
}
