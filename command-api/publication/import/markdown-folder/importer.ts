import path from "node:path";
import { slugFrom } from "@colloquy/schemas/courses/slugs.ts";
import { foreignLanguage } from "../../../foreign-language.ts";
import { carpentriesContainers } from "../carpentries/containers.ts";
import { languageOf } from "../carpentries/lesson.ts";
import { ImportError, type ImportedCourse, type Importer, type ImportNote } from "../importer.ts";
import { assembleCourse } from "../markdown/assemble.ts";
import type { ContainerRule } from "../markdown/builder.ts";
import { addCallout, type CalloutStyle, calloutRule, labelledCallouts } from "../markdown/callouts.ts";
import { NotText } from "../markdown/decode.ts";
import type { DraftEntry, DraftTopic } from "../markdown/draft.ts";
import { type Folder, joinPath, openFolder } from "../markdown/folder.ts";
import { asText, readPage } from "../markdown/front-matter.ts";
import { licenseOf } from "../markdown/license.ts";
import { type SourceLine, toLines } from "../markdown/lines.ts";
import { openingOf } from "../markdown/opening.ts";
import { createPage, type Dialect, type Page } from "../markdown/page.ts";
import { createPictures, type Pictures } from "../markdown/pictures.ts";
import { plainText } from "../markdown/plain-text.ts";
import { readTopic } from "../markdown/read-topic.ts";
import { gitHubId } from "../markdown/slugs.ts";
import { withNotebookQuizzes } from "../quizzes/jupyterquiz.ts";
import { createPageQuizzes } from "../quizzes/page-quizzes.ts";
import { withSolutionsInExercises } from "../quizzes/solutions.ts";
import { withTaskListQuizzes } from "../quizzes/task-lists.ts";
import { type Labels, labelsOf, withoutDirectives } from "./directives.ts";
import { filesOf, isPage, type OutlineEntry } from "./entries.ts";
import { titleFromName } from "./names.ts";
import { notebookLines } from "./notebook.ts";
import { withoutOtherSyntax } from "./other-syntax.ts";
import { type Outline, readOutline } from "./outline.ts";
import { filesByName } from "./wiki-links.ts";

const dialect: Dialect = { headingId: gitHubId, math: "dollars-or-brackets", dashes: "none" };

/**
 * Imports a folder of Markdown pages: MkDocs, docsify, Jupyter Book, or plain files in the order of their names. Folders become collections.
 * @throws {ImportError} when there is no page.
 */
export const importMarkdownFolder: Importer = async (folderPath, { courseId, title, previous }): Promise<ImportedCourse> => {
  const report: ImportNote[] = [];
  const folder = openFolder(folderPath, report);
  const outline = readOutline(folder, report);
  const inBase = (file: string): boolean => outline.base === "" || file.startsWith(`${outline.base}/`);
  const pictures = createPictures(folder, {
    candidates: (file, written) => pictureFiles(outline.base, file, written),
    pathOf: (file) => (inBase(file) && outline.base ? file.slice(outline.base.length + 1) : file),
    isSource: inBase,
  });
  const listed = outline.entries.flatMap(filesOf);
  const empty = new Map<string, string>();
  const reader = createPageReader(folder, pictures, labelsIn(folder, listed), report, empty);
  const entries = outline.entries.flatMap((entry) => readEntry(entry, reader));
  if (outline.from !== null) reportUnlisted(folder, outline, new Set(listed), report);
  reportOtherFormats(folder, outline, report);
  const topics = entries.flatMap(topicsOf);
  if (topics.length === 0)
    throw new ImportError(`${folderPath} holds no page with text.${report.map(({ file, what }) => `\n  ${file}: ${what}`).join("")}`);
  const first = topics[0]?.page.file ?? "";
  // The first page of a folder names the course, even if it holds no more than its heading.
  const ownTitle = isIndex(first) ? topics[0]?.title : empty.get(listed[0] ?? "");
  const license = licenseOf(folder);
  const manifest = {
    courseId,
    title: title ?? outline.title ?? ownTitle ?? titleFromName(path.basename(path.resolve(folderPath))),
    summary: openingOf(outline, topics),
    language: outline.language === undefined ? languageOfText(topics, report) : languageOf(outline.language),
    ...(license && { license }),
  };
  const links = {
    site: outline.site,
    otherPages: (stem: string): string[] => otherPages(outline.base, stem),
    fileAddress: (file: string): string | null => fileAddress(outline, folder, file),
  };
  return assembleCourse({ manifest, entries: alone(entries), pictures, links, report }, previous);
};

/** So much text tells a language. */
const tellingText = 4_000;

/** The language of pages that name none: English, unless their words are surely of another. */
function languageOfText(topics: readonly DraftTopic[], report: ImportNote[]): string {
  const text = topics.flatMap(({ blocks }) => blocks.map(({ data }) => ("markdown" in data ? data.markdown : ""))).join("\n");
  const found = foreignLanguage(text.slice(0, tellingText), ["en"]);
  if (found === null) return "en";
  const name = new Intl.DisplayNames("en", { type: "language" }).of(found) ?? found;
  report.push({ file: topics[0]?.page.file ?? "", what: "pages that name no language", done: `read as ${name}, by their words` });
  return found;
}

/** A single collection at the top is the course itself. */
function alone(entries: DraftEntry[]): DraftEntry[] {
  const [only] = entries;
  return entries.length === 1 && only?.kind === "collection" ? alone(only.children) : entries;
}

type PageReader = (file: string, title: string | undefined) => DraftEntry[];

const isIndex = (file: string): boolean => /(?:^|\/)(?:_?index|readme)\.\w+$/i.test(file);

/** @param empty receives the titles of pages without content that are the first of their folders */
function createPageReader(
  folder: Folder,
  pictures: Pictures,
  labels: Labels,
  report: ImportNote[],
  empty: Map<string, string>,
): PageReader {
  const seen = new Set<string>();
  const find = filesByName(folder);
  return (file, title) => {
    if (seen.has(file)) {
      report.push({ file, what: "the table of contents names this page twice", done: "it stands where it is named first" });
      return [];
    }
    seen.add(file);
    const page = createPage({ file, dialect, report, image: pictures.image });
    const text = readAnyPage(folder, page);
    if (!text) return [];
    if (text.values.draft === true) {
      page.note(undefined, "a page marked as a draft", "left out");
      return [];
    }
    const given = (isHome(file, title) ? undefined : title) ?? asText(text.values.title) ?? asText(text.values.sidebar_label);
    const quizzes = createPageQuizzes(page);
    const plain = withSolutionsInExercises(withoutDirectives(withoutOtherSyntax(text.lines, page, folder, find), page, labels), page);
    const topic = readTopic(page, withTaskListQuizzes(withNotebookQuizzes(plain, folder, page, quizzes), quizzes), {
      slug: slugOf(file),
      title: given === undefined ? undefined : plainText(given) || undefined,
      fallbackTitle: isIndex(file)
        ? titleFromName(path.posix.basename(path.posix.dirname(file)).replace(/^\.$/, "Overview"))
        : titleFromName(path.posix.basename(file)),
      rule: (container, builder) => quizzes.rule(container, builder) || pageContainers(container, builder),
    });
    if (topic.blocks.length === 0) {
      if (isIndex(file)) empty.set(file, topic.title);
      page.note(undefined, "a page without content", "left out");
      return [];
    }
    const summary = asText(text.values.description) ?? asText(text.values.summary);
    return [{ kind: "topic", topic: { ...topic, ...(summary && { summary: plainText(summary) }) } }];
  };
}

/** Whether a table of contents only calls a site's first page "Home": it has a title of its own. */
const isHome = (file: string, title: string | undefined): boolean =>
  title !== undefined && /^(?:home|index|readme)$/i.test(title.trim()) && isIndex(file);

function readAnyPage(folder: Folder, page: Page): { values: Record<string, unknown>; lines: SourceLine[] } | null {
  if (!/\.ipynb$/i.test(page.file)) return readPage(folder, page);
  const lines = notebookLines(folder.text(page.file), page);
  return lines && { values: {}, lines };
}

function readEntry(entry: OutlineEntry, read: PageReader): DraftEntry[] {
  const own = entry.file ? read(entry.file, entry.children.length > 0 ? undefined : entry.title) : [];
  const below = entry.children.flatMap((child) => readEntry(child, read));
  if (below.length === 0) return own;
  const [page] = own;
  const title = entry.title ?? (page?.kind === "topic" ? page.topic.title : "Pages");
  const slug = entry.file && !isIndex(entry.file) ? slugOf(entry.file) : slugFrom(title);
  return [{ kind: "collection", key: `part ${entry.file ?? ""} ${title}`, slug, title, children: [...own, ...below] }];
}

const topicsOf = (entry: DraftEntry): DraftTopic[] => (entry.kind === "topic" ? [entry.topic] : entry.children.flatMap(topicsOf));

/** A page's slug: its file's name without a number before it, or its folder's when the file is the folder's index. */
function slugOf(file: string): string {
  const { name, dir } = path.posix.parse(file);
  return slugFrom((isIndex(file) ? path.posix.basename(dir) || "overview" : name).replace(/^\d+(?:[.-]\d+)*[-_. ]+(?=\S)/, ""));
}

function labelsIn(folder: Folder, files: readonly string[]): Labels {
  const labels = new Map<string, { file: string; title: string | undefined }>();
  for (const file of files) {
    if (!/\.(?:md|markdown|qmd)$/i.test(file)) continue;
    for (const { label, title } of labelsOf(toLines(textOf(folder, file)))) labels.set(label, { file, title });
  }
  return labels;
}

/** A page's text; none of a file that is no text, which is reported where it is read. */
function textOf(folder: Folder, file: string): string {
  try {
    return folder.text(file);
  } catch (error) {
    if (error instanceof NotText) return "";
    throw error;
  }
}

function reportUnlisted(folder: Folder, { base, from }: Outline, listed: ReadonlySet<string>, report: ImportNote[]): void {
  for (const file of [...folder.files].sort())
    if (isPage(file) && !listed.has(file) && (base === "" || file.startsWith(`${base}/`)) && !/(?:^|\/)_/.test(file))
      report.push({ file, what: `a page that ${from} does not name`, done: "left out" });
}

/** Pages in formats that are not read. */
function reportOtherFormats(folder: Folder, { base }: Outline, report: ImportNote[]): void {
  for (const file of [...folder.files].sort())
    if (/\.(?:rst|adoc|asciidoc|org|textile|tex)$/i.test(file) && (base === "" || file.startsWith(`${base}/`)))
      report.push({ file, what: `a page in a format that is not read, ${path.posix.extname(file)}`, done: "left out" });
}

/** A picture's path may be meant from its page, from the pages' folder, or from a folder that is served at the top. */
function pictureFiles(base: string, file: string, written: string): string[] {
  const bare = written.replace(/^\/+/, "");
  // MkDocs builds each page into a folder of its own, so some authors write one step up too many.
  const steps = [joinPath(file, written), joinPath(file, written.replace(/^\.\.\//, ""))];
  const served = [path.posix.join(base || ".", bare), bare, `static/${bare}`, `public/${bare}`, `docs/${bare}`];
  return [...steps, ...served.map((found) => path.posix.normalize(found))].filter((found) => found !== null);
}

function otherPages(base: string, stem: string): string[] {
  return [stem, path.posix.join(base || ".", stem)].flatMap((name) => [
    ...["md", "markdown", "mdx", "ipynb", "Rmd", "qmd"].map((ending) => `${name}.${ending}`),
    ...["index.md", "README.md", "_index.md", "index.mdx", "index.qmd"].map((index) => `${name}/${index}`),
  ]);
}

function fileAddress({ site, base }: Outline, folder: Folder, file: string): string | null {
  if (!site || !folder.files.has(file)) return null;
  const inBase = base && file.startsWith(`${base}/`) ? file.slice(base.length + 1) : file;
  const served = isPage(file) ? inBase.replace(/(?:(?:^|(?<=\/))(?:index|README))?\.\w+$/, "/").replace(/(^|\/)\/$/, "$1") : inBase;
  return `${site.replace(/\/+$/, "")}/${served.split("/").map(encodeURIComponent).join("/")}`;
}

/** Kinds of callouts that MkDocs, Docusaurus, VitePress, Obsidian and MyST know besides GitHub's. */
const callouts: Record<string, CalloutStyle> = {
  ...labelledCallouts,
  info: { kind: "note" },
  abstract: { kind: "note", title: "Summary" },
  summary: { kind: "note", title: "Summary" },
  tldr: { kind: "note", title: "Summary" },
  success: { kind: "tip" },
  check: { kind: "tip" },
  question: { kind: "note", title: "Question" },
  faq: { kind: "note", title: "Question" },
  todo: { kind: "note", title: "To do" },
  failure: { kind: "warning" },
  bug: { kind: "warning" },
  error: { kind: "warning" },
  attention: { kind: "warning" },
  example: { kind: "example" },
  quote: { kind: "note" },
  epigraph: { kind: "note" },
  topic: { kind: "note" },
  admonition: { kind: "note" },
  seealso: { kind: "note", title: "See also" },
  dropdown: { kind: "note", folded: true },
  collapse: { kind: "note", folded: true },
  definition: { kind: "definition" },
  theorem: { kind: "definition", title: "Theorem" },
  lemma: { kind: "definition", title: "Lemma" },
  corollary: { kind: "definition", title: "Corollary" },
  proposition: { kind: "definition", title: "Proposition" },
  proof: { kind: "note", title: "Proof" },
  remark: { kind: "note", title: "Remark" },
  algorithm: { kind: "note", title: "Algorithm" },
  versionadded: { kind: "note", title: "New" },
  versionchanged: { kind: "note", title: "Changed" },
  deprecated: { kind: "warning", title: "Deprecated" },
  "code-group": { kind: "note" },
};
const labelled = calloutRule(callouts);

/** Callouts of Quarto: `::: {.callout-note title="…" collapse="true"}`. */
const quartoCallouts: ContainerRule = (container, builder) => {
  const style = labelledCallouts[/^callout-(note|tip|warning|caution|important)$/.exec(container.name)?.[1] ?? ""];
  if (!style) return false;
  const { title, collapse } = container.attributes.values;
  addCallout({ ...container, ...(title && { title }) }, builder, { ...style, folded: collapse === "true" });
  return true;
};

const pageContainers: ContainerRule = (container, builder) =>
  labelled(container, builder) || quartoCallouts(container, builder) || carpentriesContainers(container, builder);
