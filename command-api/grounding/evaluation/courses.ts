import { demonstrationCourses } from "@colloquy/infra/demo/courses.ts";
import type { SearchIndex } from "@colloquy/schemas/courses/revision.ts";
import { importCarpentries } from "../../publication/import/carpentries/importer.ts";
import type { Importer } from "../../publication/import/importer.ts";
import { realCourse } from "../../publication/import/markdown/testing/folders.ts";
import { importMdBook } from "../../publication/import/mdbook/importer.ts";
import { importNative } from "../../publication/import/native.ts";
import { buildSearchIndex } from "../../publication/search-index.ts";

/** The passages of the courses that search and answers are measured on: the demonstration courses, and of the real ones those that lie beside the checkout. */
export async function evaluationCourses(): Promise<SearchIndex[]> {
  const folders: [string, Importer, string | null][] = [
    ...demonstrationCourses.map(({ courseId, folder }): [string, Importer, string] => [courseId, importNative, folder]),
    ["shell-novice", importCarpentries, realCourse("shell-novice")],
    ["theorem-proving-in-lean", importMdBook, realCourse("theorem-proving-in-lean")],
  ];
  const courses: SearchIndex[] = [];
  for (const [courseId, importer, folder] of folders)
    if (folder !== null) courses.push(buildSearchIndex((await importer(folder, { courseId, previous: null })).course, "revision-1"));
  return courses;
}
