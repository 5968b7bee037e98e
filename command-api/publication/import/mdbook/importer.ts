import path from "node:path";
import { slugFrom } from "@colloquy/schemas/courses/slugs.ts";
import { languageOf } from "../carpentries/lesson.ts";
import type { ImportedCourse, Importer, ImportNote } from "../importer.ts";
import { ImportError } from "../importer.ts";
import { assembleCourse } from "../markdown/assemble.ts";
import { calloutRule, labelledCallouts } from "../markdown/callouts.ts";
import type { DraftEntry, DraftTopic } from "../markdown/draft.ts";
import { type Folder, joinPath, openFolder } from "../markdown/folder.ts";
import { readPage } from "../markdown/front-matter.ts";
import { openingOf } from "../markdown/opening.ts";
import { createPage, type Dialect } from "../markdown/page.ts";
import { createPictures, type Pictures } from "../markdown/pictures.ts";
import { readTopic } from "../markdown/read-topic.ts";
import { mdBookId } from "../markdown/slugs.ts";
import { withoutOtherSyntax } from "../markdown-folder/other-syntax.ts";
import { filesByName } from "../markdown-folder/wiki-links.ts";
import { withQuizFiles } from "../quizzes/mdbook-quiz.ts";
import { createPageQuizzes } from "../quizzes/page-quizzes.ts";
import { type Book, readBook } from "./book.ts";
import { createHiddenLines } from "./hidden-lines.ts";
import { withIncludes } from "./includes.ts";
import { withListings } from "./listings.ts";
import { type Chapter, readSummary, type SummaryEntry } from "./summary.ts";

/**
 * Imports an mdBook: the chapters of SUMMARY.md in order; parts, and chapters with chapters below them, become collections.
 * @throws {ImportError} when the folder holds no mdBook or its summary names no page.
 */
export const importMdBook: Importer = async (folderPath, { courseId, title, previous }): Promise<ImportedCourse> => {
  const report: ImportNote[] = [];
  const { folder, textsRead } = withRecord(openFolder(folderPath, report));
  const book = readBook(folder);
  const source = path.posix.dirname(book.summary);
  const isSource = (file: string): boolean => (source === "." ? !/^(?:book|out)\//.test(file) : file.startsWith(`${source}/`));
  const pictures = createPictures(folder, {
    candidates: (file, written) => [joinPath(file, written), joinPath(book.summary, written)].filter((found) => found !== null),
    pathOf: (file) => (source === "." ? file : file.replace(`${source}/`, "")),
    isSource,
  });
  const summary = readSummary(folder.text(book.summary), report, book.summary);
  const reader = createChapterReader(folder, book, pictures, report);
  const entries = summary.entries.flatMap((entry) => readEntry(entry, reader, book.summary, report));
  const topics = entries.flatMap(topicsOf);
  if (topics.length === 0) throw new ImportError("SUMMARY.md names no chapter that is in the folder.");
  for (const file of [...folder.files].sort())
    if (/\.(?:md|markdown)$/i.test(file) && isSource(file) && !textsRead.has(file))
      report.push({ file, what: `a page that ${book.summary} does not name`, done: "left out" });
  const manifest = {
    courseId,
    title: (title ?? book.title ?? summary.title ?? path.basename(folderPath)).slice(0, 200),
    summary: openingOf(book, topics),
    language: languageOf(book.language),
    ...(book.license && { license: book.license }),
  };
  return assembleCourse(
    {
      manifest,
      entries,
      pictures,
      links: {
        // An address such as `/chapter.html` is meant from the source folder.
        otherPages: (stem) => [`${source}/${stem}.md`],
        fileAddress: (file) => addressOf(book, folder, file),
      },
      report,
    },
    previous,
  );
};

/** A folder that records which texts are read from it: pages of the summary, and what they include. */
function withRecord(folder: Folder): { folder: Folder; textsRead: ReadonlySet<string> } {
  const textsRead = new Set<string>();
  const text = (file: string): string => {
    textsRead.add(file);
    return folder.text(file);
  };
  return { folder: { ...folder, text }, textsRead };
}

type ChapterReader = (file: string, title: string) => DraftEntry[];

function createChapterReader(folder: Folder, book: Book, pictures: Pictures, report: ImportNote[]): ChapterReader {
  const visible = createHiddenLines(book.hidden);
  const rule = calloutRule({ ...labelledCallouts, ...(book.speakerNotes && { details: { kind: "instructor", folded: true } as const }) });
  const seen = new Set<string>();
  const find = filesByName(folder);
  return (file, title) => {
    if (seen.has(file)) {
      report.push({ file, what: "the summary names this page twice", done: "it stands where it is named first" });
      return [];
    }
    seen.add(file);
    let hidden = 0;
    const dialect: Dialect = {
      headingId: mdBookId,
      math: book.math,
      dashes: book.dashes,
      visibleCode: (code, language, info) => {
        const result = visible(code, language, info);
        hidden += result.hidden;
        return result;
      },
    };
    const page = createPage({ file, dialect, report, image: pictures.image });
    const text = readPage(folder, page);
    if (!text) return [];
    const quizzes = createPageQuizzes(page);
    const own = book.isPlain ? withoutOtherSyntax(text.lines, page, folder, find) : text.lines;
    const lines = withIncludes(withQuizFiles(withListings(own, page), folder, page, quizzes), folder, page);
    const topic = readTopic(page, lines, {
      slug: slugOf(file),
      title,
      fallbackTitle: title,
      rule: (container, builder) => quizzes.rule(container, builder) || rule(container, builder),
    });
    if (hidden) report.push({ file, count: hidden, what: "lines of code that the book hides", done: "left out of the code shown" });
    return [{ kind: "topic", topic }];
  };
}

/** A chapter with chapters below it becomes a collection that begins with its own page; a part becomes a collection. */
function readEntry(entry: SummaryEntry, read: ChapterReader, summary: string, report: ImportNote[]): DraftEntry[] {
  const own = entry.kind === "chapter" ? readOwn(entry, read, summary, report) : [];
  const below = entry.children.flatMap((child) => readEntry(child, read, summary, report));
  if (below.length === 0) return own;
  const file = entry.kind === "chapter" && entry.file ? (joinPath(summary, entry.file) ?? entry.file) : null;
  const slug = file ? slugOf(file) : slugFrom(entry.title);
  return [
    { kind: "collection", key: `${entry.kind} ${file ?? slug} ${entry.title}`, slug, title: entry.title, children: [...own, ...below] },
  ];
}

function readOwn(chapter: Chapter, read: ChapterReader, summary: string, report: ImportNote[]): DraftEntry[] {
  if (chapter.file === null) {
    report.push({
      file: summary,
      line: chapter.line,
      what: `the chapter “${chapter.title}” is a draft without a page`,
      done: chapter.children.length ? "its chapters are kept" : "left out",
    });
    return [];
  }
  const file = joinPath(summary, chapter.file);
  const entries = file === null ? null : readIfThere(file, chapter, read);
  if (entries === null) {
    report.push({ file: summary, line: chapter.line, what: `the page ${chapter.file} is not in the folder`, done: "left out" });
    return [];
  }
  return entries;
}

function readIfThere(file: string, chapter: Chapter, read: ChapterReader): DraftEntry[] | null {
  try {
    return read(file, chapter.title);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

const topicsOf = (entry: DraftEntry): DraftTopic[] => (entry.kind === "topic" ? [entry.topic] : entry.children.flatMap(topicsOf));

/** A page's slug: its file's name, or its folder's when the file is the folder's index. */
function slugOf(file: string): string {
  const { name, dir } = path.posix.parse(file);
  return slugFrom(/^(?:readme|index)$/i.test(name) ? path.posix.basename(dir) || "overview" : name);
}

/** Where a file of the book's source that is no page can be read: in its repository. */
function addressOf(book: Book, folder: Folder, file: string): string | null {
  if (!book.repository || !/^https:\/\/github\.com\//.test(book.repository) || !folder.files.has(file)) return null;
  return `${book.repository}/blob/HEAD/${file.split("/").map(encodeURIComponent).join("/")}`;
}
