import { demonstrationCourses } from "@colloquy/infra/demo/courses.ts";
import type { SearchIndex } from "@colloquy/schemas/courses/revision.ts";
import { importCarpentries } from "../../publication/import/carpentries/importer.ts";
import type { Importer } from "../../publication/import/importer.ts";
import { realCourse } from "../../publication/import/markdown/testing/folders.ts";
import { importMdBook } from "../../publication/import/mdbook/importer.ts";
import { importNative } from "../../publication/import/native.ts";
import { buildSearchIndex } from "../../publication/search-index.ts";

/** A course that search and answers are measured on. */
export interface EvaluationFolder {
  courseId: string;
  importer: Importer;
  folder: string;
}

/** The demonstration courses, and of the real ones those that lie beside the checkout. */
export function evaluationFolders(): EvaluationFolder[] {
  const folders = [
    ...demonstrationCourses.map(({ courseId, folder }) => ({ courseId, importer: importNative, folder })),
    { courseId: "shell-novice", importer: importCarpentries, folder: realCourse("shell-novice") },
    { courseId: "theorem-proving-in-lean", importer: importMdBook, folder: realCourse("theorem-proving-in-lean") },
  ];
  return folders.flatMap(({ folder, ...course }) => (folder === null ? [] : [{ ...course, folder }]));
}

/** The passages of the evaluation courses. */
export async function evaluationCourses(): Promise<SearchIndex[]> {
  const courses: SearchIndex[] = [];
  for (const { courseId, importer, folder } of evaluationFolders())
    courses.push(buildSearchIndex((await importer(folder, { courseId, previous: null })).course, "revision-1"));
  return courses;
}
