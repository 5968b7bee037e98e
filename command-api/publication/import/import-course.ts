import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { checkCourse } from "@colloquy/schemas/courses/check-course.ts";
import type { CourseOrigin } from "@colloquy/schemas/courses/revision.ts";
import type { FieldError } from "@colloquy/schemas/errors.ts";
import type { Publication } from "../handlers.ts";
import { importCarpentries } from "./carpentries/importer.ts";
import { isLesson } from "./carpentries/lesson.ts";
import { idFromTitle } from "./course-id.ts";
import { ImportError, type ImportedCourse, type Importer } from "./importer.ts";
import { type Folder, openFolder, partOf } from "./markdown/folder.ts";
import { importMarkdownFolder } from "./markdown-folder/importer.ts";
import { hasPages, isDocsify, isJupyterBook, isMkDocs, isQuarto } from "./markdown-folder/outline.ts";
import { isBook } from "./mdbook/book.ts";
import { importMdBook } from "./mdbook/importer.ts";
import { importNative, isNativeCourse } from "./native.ts";
import { fieldsText, type ImportResult } from "./report.ts";

/** The forms a course folder can have, in the order in which they are tried. */
const formats: { name: string; fits: (folder: Folder) => boolean; importer: Importer }[] = [
  { name: "Colloquy course folder", fits: isNativeCourse, importer: importNative },
  { name: "Carpentries Workbench lesson", fits: isLesson, importer: importCarpentries },
  { name: "mdBook", fits: isBook, importer: importMdBook },
  { name: "MkDocs project", fits: isMkDocs, importer: importMarkdownFolder },
  { name: "docsify site", fits: isDocsify, importer: importMarkdownFolder },
  { name: "Jupyter Book", fits: isJupyterBook, importer: importMarkdownFolder },
  { name: "Quarto project", fits: isQuarto, importer: importMarkdownFolder },
];
/** What any folder with pages is, unless a folder within it is a course of its own. */
const pagesFormat = { name: "folder of Markdown pages", importer: importMarkdownFolder };

interface ImportOptions {
  publication: Publication;
  folder: string;
  /** Made from the course's title when it is absent. */
  courseId?: string;
  title?: string;
  origin: CourseOrigin;
  /** Who publishes, as the event says it. */
  accountId: string;
  /** Takes the folder's Markdown pages whatever else it holds. */
  asPages?: boolean;
  /** Ids that an id made from the title must not have. */
  taken?: readonly string[];
}

/** Reads a folder in whichever form it has. @throws {ImportError} for one that is none of the known forms or cannot be read */
export async function readCourseFolder(
  folder: string,
  options: Parameters<Importer>[1] & { asPages?: boolean },
): Promise<ImportedCourse & { format: string }> {
  const opened = openFolder(folder);
  const format = options.asPages ? pagesFormat : (formats.find(({ fits }) => fits(opened)) ?? plainFormat(folder, opened));
  return { ...(await format.importer(folder, options)), format: format.name };
}

/** Courses named when a folder holds them further down. */
const mostOffered = 8;

function plainFormat(folder: string, opened: Folder): typeof pagesFormat {
  const below = coursesBelow(opened);
  if (below.length > 0)
    throw new ImportError(
      `${folder} holds ${below.length === 1 ? "a course" : "courses"} further down. Import ${below.length === 1 ? "it" : "one"}:\n${below
        .slice(0, mostOffered)
        .map(({ path, name }) => `  npm run course:import -- ${quotedForShell(join(folder, path))}    (${name})`)
        .join(
          "\n",
        )}${below.length > mostOffered ? `\n  and ${below.length - mostOffered} more` : ""}${hasPages(opened) ? "\nOr import all its Markdown pages in the order of their names: add --pages." : ""}`,
    );
  if (hasPages(opened)) return pagesFormat;
  throw new ImportError(
    `${folder} holds no course that can be imported:\n` +
      "  no Markdown pages (.md) or notebooks (.ipynb), and neither\n" +
      "  a Carpentries Workbench lesson (config.yaml beside a folder episodes/),\n" +
      "  an mdBook (book.toml, or SUMMARY.md there or under src/), nor\n" +
      "  a Colloquy course folder (course.yaml).",
  );
}

/** The folders further down that hold a course, not those within another course. */
function coursesBelow(opened: Folder): { path: string; name: string }[] {
  const paths = new Set([...opened.files].flatMap((file) => [...file.matchAll(/\//g)].map(({ index }) => file.slice(0, index))));
  const found: { path: string; name: string }[] = [];
  // An outer folder sorts before those within it.
  for (const path of [...paths].sort()) {
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
export async function importCourse(given: ImportOptions): Promise<ImportResult> {
  const { publication, folder, title, origin, accountId, asPages = false } = given;
  const courseId = given.courseId ?? (await idFor(given));
  const live = await publication.live(courseId);
  // Without it (never published, or its objects are lost) ids are made anew.
  const previous = await publication.readRemains(courseId);
  const imported = await readCourseFolder(folder, { courseId, ...(title !== undefined && { title }), previous, asPages });
  if (imported.course.topics.length === 0) throw new ImportError(`${folder} holds no page: there is nothing to publish.`);
  if (given.courseId === undefined && previous && !isSameCourse(imported.course, previous))
    throw new ImportError(takenId(folder, courseId, previous));
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

/** The id of a folder that was given none: made of its title, or that of the live course of which most texts are the same. */
async function idFor({ publication, folder, title, asPages = false, taken = [] }: ImportOptions): Promise<string> {
  const { course } = await readCourseFolder(folder, { courseId: "made-from-title", previous: null, asPages });
  const wanted = idFromTitle(title ?? course.manifest.title, taken);
  const live = await publication.courseIds();
  const rest = live.filter((id) => id !== wanted && !taken.includes(id));
  // Also for a title that another course has by now.
  for (const id of live.includes(wanted) ? [wanted, ...rest] : rest) {
    const previous = await publication.readRemains(id);
    if (previous && (id === wanted ? isSameCourse(course, previous) : hasMostTexts(course, previous))) return id;
  }
  return wanted;
}

/** Shorter texts, such as a heading, stand in many courses. */
const ownTextLength = 60;
/** Shares of the texts of that length, and of all, from which two courses are one; a licence alone is no such share. */
const sameShare = { ofLong: 0.34, ofAll: 0.5 };

/**
 * Whether an import shares a third of the longer texts, half of the texts, or at least two titles and half of them with what is live: an id
 * made from a title may be another course's, and many courses have a page "Introduction" or the same licence.
 */
function isSameCourse(course: AuthoredCourse, previous: AuthoredCourse): boolean {
  const texts = sharedOf(course, previous, ({ blocks }) => blocks.map(({ source }) => source));
  const long = sharedOf(course, previous, longTexts);
  const titles = sharedOf(course, previous, ({ title }) => [title]);
  return (
    (long.shared.length > 0 && long.share >= sameShare.ofLong) ||
    (texts.shared.length > 0 && texts.share >= sameShare.ofAll) ||
    (titles.shared.length >= 2 && titles.share >= 0.5)
  );
}

/** Whether most of an import's longer texts, and more than one, are those of another course. */
function hasMostTexts(course: AuthoredCourse, previous: AuthoredCourse): boolean {
  const { shared, share } = sharedOf(course, previous, longTexts);
  return shared.length > 1 && share > 0.5;
}

const longTexts = ({ blocks }: AuthoredCourse["topics"][number]): string[] =>
  blocks.map(({ source }) => source).filter(({ length }) => length >= ownTextLength);

/** What two courses have in common, and which share of the smaller one that is. */
function sharedOf(one: AuthoredCourse, other: AuthoredCourse, of: (topic: AuthoredCourse["topics"][number]) => string[]) {
  const own = new Set(one.topics.flatMap(of));
  const others = new Set(other.topics.flatMap(of));
  const shared = [...own.intersection(others)];
  return { shared, share: shared.length / Math.max(1, Math.min(own.size, others.size)) };
}

const takenId = (folder: string, courseId: string, { manifest }: AuthoredCourse): string =>
  `The id "${courseId}", made from the title, belongs to another course, “${manifest.title}”: hardly a page or a text of it is in ${folder}.\n` +
  `Choose another id with --id. To replace that course, add --id ${courseId}.`;
