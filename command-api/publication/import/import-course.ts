import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { checkCourse } from "@colloquy/schemas/courses/check-course.ts";
import type { CourseOrigin } from "@colloquy/schemas/courses/revision.ts";
import type { FieldError } from "@colloquy/schemas/errors.ts";
import type { Publication } from "../handlers.ts";
import { importCarpentries } from "./carpentries/importer.ts";
import { isLesson } from "./carpentries/lesson.ts";
import { ImportError, type ImportedCourse, type Importer } from "./importer.ts";
import { type Folder, openFolder, partOf } from "./markdown/folder.ts";
import { isBook } from "./mdbook/book.ts";
import { importMdBook } from "./mdbook/importer.ts";
import { importNative, isNativeCourse } from "./native.ts";
import { fieldsText, type ImportResult } from "./report.ts";

/** The forms a course folder can have, in the order in which they are tried. */
const formats: { name: string; fits: (folder: Folder) => boolean; importer: Importer }[] = [
  { name: "Colloquy course folder", fits: isNativeCourse, importer: importNative },
  { name: "Carpentries Workbench lesson", fits: isLesson, importer: importCarpentries },
  { name: "mdBook", fits: isBook, importer: importMdBook },
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
  const opened = openFolder(folder);
  const format = formats.find(({ fits }) => fits(opened));
  if (!format) throw new ImportError(noCourseIn(folder, opened));
  return { ...(await format.importer(folder, options)), format: format.name };
}

/** Courses named when a folder holds them further down. */
const mostOffered = 8;

function noCourseIn(folder: string, opened: Folder): string {
  const below = coursesBelow(opened);
  if (below.length > 0)
    return `${folder} holds ${below.length === 1 ? "a course" : "courses"} further down. Import ${below.length === 1 ? "it" : "one"}:\n${below
      .slice(0, mostOffered)
      .map(({ path, name }) => `  npm run course:import -- ${quotedForShell(join(folder, path))}    (${name})`)
      .join("\n")}`;
  return (
    `${folder} is none of the forms that can be imported:\n` +
    "  a Carpentries Workbench lesson (config.yaml beside a folder episodes/),\n" +
    "  an mdBook (book.toml, or SUMMARY.md there or under src/),\n" +
    "  a Colloquy course folder (course.yaml)."
  );
}

/** The folders that hold a course, one or two levels down, not those within another course. */
function coursesBelow(opened: Folder): { path: string; name: string }[] {
  const parts = [...opened.files].map((file) => file.split("/").slice(0, -1));
  const paths = new Set(
    [1, 2].flatMap((depth) => parts.filter((part) => part.length >= depth).map((part) => part.slice(0, depth).join("/"))),
  );
  const found: { path: string; name: string }[] = [];
  for (const path of paths) {
    if (found.some((outer) => path.startsWith(`${outer.path}/`))) continue;
    const format = formats.find(({ fits }) => fits(partOf(opened, path)));
    if (format) found.push({ path, name: format.name });
  }
  return found.sort((a, b) => a.path.localeCompare(b.path));
}

const quotedForShell = (path: string): string => (/^[\w./@+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

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
  const wrong = checkCourse(imported.course);
  if (wrong.length > 0) throw invalid(wrong, imported);
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
      throw invalid(error.fields, imported, error);
    });
  return { format: imported.format, course: imported.course, report: imported.report, published };
}

function invalid(fields: readonly FieldError[], { course, places }: ImportedCourse, cause?: unknown): ImportError {
  return new ImportError(`The course would not be valid:\n${fieldsText(fields, course, places)}`, { cause });
}
