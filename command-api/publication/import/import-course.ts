import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import type { CourseOrigin } from "@colloquy/schemas/courses/revision.ts";
import type { Publication } from "../handlers.ts";
import { importCarpentries, isCarpentriesLesson } from "./carpentries/importer.ts";
import { ImportError, type ImportedCourse, type Importer } from "./importer.ts";
import { importMdBook, isMdBook } from "./mdbook/importer.ts";
import { importNative, isNativeCourse } from "./native.ts";
import { fieldsText, type ImportResult } from "./report.ts";

/** The forms a course folder can have, in the order in which they are tried. */
const formats: { name: string; fits: (folder: string) => boolean; importer: Importer }[] = [
  { name: "Colloquy course folder", fits: isNativeCourse, importer: importNative },
  { name: "Carpentries Workbench lesson", fits: isCarpentriesLesson, importer: importCarpentries },
  { name: "mdBook", fits: isMdBook, importer: importMdBook },
];

interface ImportOptions {
  publication: Publication;
  folder: string;
  courseId: string;
  title?: string;
  origin: CourseOrigin;
  /** Who publishes, as the event says it. */
  accountId: string;
}

/** Reads a folder in whichever form it has. @throws {ImportError} for one that is none of the known forms or cannot be read */
export async function readCourseFolder(folder: string, options: Parameters<Importer>[1]): Promise<ImportedCourse & { format: string }> {
  const found = await stat(folder).catch(() => null);
  if (!found) throw new ImportError(`There is no folder ${folder}.`);
  if (!found.isDirectory()) throw new ImportError(`${folder} is a file. Name the folder that holds the course.`);
  const format = formats.find(({ fits }) => fits(folder));
  if (!format)
    throw new ImportError(
      `${folder} is none of the forms that can be imported:\n` +
        "  a Carpentries Workbench lesson (config.yaml beside a folder episodes/),\n" +
        "  an mdBook (book.toml, or SUMMARY.md there or under src/),\n" +
        "  a Colloquy course folder (course.yaml).",
    );
  return { ...(await format.importer(folder, options)), format: format.name };
}

/**
 * Imports a folder and publishes it over what is live under the id.
 * @throws {ImportError} for a folder that is none of the known forms or cannot be read, and when what came out has errors, each with
 * its place. Nothing is published then.
 */
export async function importCourse({ publication, folder, courseId, title, origin, accountId }: ImportOptions): Promise<ImportResult> {
  const live = await publication.live(courseId);
  // Without it (never published, or its objects are lost) ids are made anew.
  const previous = await publication.readRemains(courseId);
  const options = { courseId, ...(title !== undefined && { title }), previous };
  const imported = await readCourseFolder(folder, options);
  if (imported.course.topics.length === 0) throw new ImportError(`${folder} holds no topic: there is nothing to publish.`);
  const published = await publication
    .publishCourse({
      courseId,
      course: imported.course,
      base: live && { sequence: live.sequence, revisionId: live.revisionId },
      requestId: randomUUID(),
      accountId,
      origin,
      readAsset: (asset) => Promise.resolve(imported.assets.get(asset.path) ?? null),
    })
    .catch((error: unknown) => {
      if (!(error instanceof ProblemError) || !error.fields) throw error;
      throw new ImportError(`What came out is no valid course:\n${fieldsText(error.fields, imported.course)}`, { cause: error });
    });
  return { format: imported.format, course: imported.course, report: imported.report, published };
}
