import path from "node:path";
import type { ImportNote } from "../importer.ts";
import { decoded, type Folder } from "../markdown/folder.ts";
import { asText, isRecord } from "../markdown/front-matter.ts";
import { type Chapter, readSummary, type SummaryEntry } from "../mdbook/summary.ts";
import { filesOf, isPage, type OutlineEntry } from "./entries.ts";
import { namesOutline } from "./names.ts";
import { readSettings, type Settings } from "./settings.ts";

/** What a folder says of the order of its pages, and of itself. */
export interface Outline {
  /** The folder that written paths begin at, "" for the top. */
  base: string;
  /** The file that gives the order; null when names do. */
  from: string | null;
  title?: string | undefined;
  description?: string | undefined;
  authors: string[];
  language?: string | undefined;
  /** Where the pages are published. */
  site?: string | undefined;
  entries: OutlineEntry[];
}

const mkdocsFile = (folder: Folder): string | undefined => ["mkdocs.yml", "mkdocs.yaml"].find((file) => folder.files.has(file));
export const isMkDocs = (folder: Folder): boolean => mkdocsFile(folder) !== undefined;
export const isDocsify = (folder: Folder): boolean => folder.files.has("_sidebar.md");
export const isJupyterBook = (folder: Folder): boolean => folder.files.has("_toc.yml") || folder.files.has("myst.yml");
export const isQuarto = (folder: Folder): boolean => folder.files.has("_quarto.yml");
export const hasPages = (folder: Folder): boolean => [...folder.files].some(isPage);

/** Reads the order of the pages from `mkdocs.yml`, `_sidebar.md`, `_toc.yml`, `myst.yml` or `_quarto.yml`, else from the names of files and folders. */
export function readOutline(folder: Folder, report: ImportNote[]): Outline {
  const mkdocs = mkdocsFile(folder);
  if (mkdocs) return mkdocsOutline(folder, mkdocs, report);
  if (isDocsify(folder)) return { ...siteFacts(folder, report), base: "", from: "_sidebar.md", entries: sidebarEntries(folder, report) };
  if (isJupyterBook(folder)) return jupyterOutline(folder, report);
  if (isQuarto(folder)) return quartoOutline(folder, report);
  return { ...siteFacts(folder, report), base: "", from: null, entries: namesOutline(folder, "", report) };
}

/** What generators of sites say in `_config.yml` (Jekyll, Jupyter Book). */
function siteFacts(folder: Folder, report: ImportNote[]): Pick<Outline, "title" | "description" | "authors" | "language"> {
  const config = readSettings(folder, "_config.yml", report);
  const author = asText(config.author);
  return {
    title: asText(config.title),
    description: asText(config.description),
    authors: author ? [author] : [],
    language: asText(config.lang) ?? asText(config.language),
  };
}

function mkdocsOutline(folder: Folder, file: string, report: ImportNote[]): Outline {
  const config = readSettings(folder, file, report);
  const base = (asText(config.docs_dir) ?? "docs").replace(/^\.?\/|\/+$/g, "");
  const author = asText(config.site_author);
  const theme = isRecord(config.theme) ? config.theme : {};
  const listed = Array.isArray(config.nav)
    ? config.nav.flatMap((item) => navEntries(item, undefined, { folder, base, file, report, folders: true }))
    : [];
  return {
    base,
    from: listed.length > 0 ? file : null,
    title: asText(config.site_name),
    description: asText(config.site_description),
    authors: author ? [author] : [],
    language: asText(theme.language) ?? asText(theme.locale),
    site: asText(config.site_url),
    entries: listed.length > 0 ? listed : namesOutline(folder, base, report),
  };
}

interface NavContext {
  folder: Folder;
  base: string;
  file: string;
  report: ImportNote[];
  /** Whether a path with a slash at its end means a whole folder. */
  folders?: boolean;
}

/** An item of MkDocs' `nav`: a path, a title with a path, or a title with a list. */
function navEntries(item: unknown, title: string | undefined, context: NavContext): OutlineEntry[] {
  if (typeof item === "string") return linkedEntries(item, title, context);
  if (Array.isArray(item)) {
    const children = item.flatMap((child) => navEntries(child, undefined, context));
    return children.length > 0 && title !== undefined ? [{ title, children }] : children;
  }
  return isRecord(item) ? Object.entries(item).flatMap(([key, value]) => navEntries(value, key, context)) : [];
}

/** What a table of contents means by a path: a page, or a folder whose pages come in the order of their names. */
function linkedEntries(written: string, title: string | undefined, { folder, base, file, report, folders }: NavContext): OutlineEntry[] {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(written)) {
    report.push({ file, what: `a link to elsewhere in the table of contents, ${written.slice(0, 200)}`, done: "left out" });
    return [];
  }
  const bare = decoded(written.replace(/^#?\//, "").replace(/[?#].*$/s, ""))
    .replace(/^\.\//, "")
    .replace(/\/+$/, "");
  const target = path.posix.join(base || ".", bare).replace(/^\.(?:\/|$)/, "");
  // With the plugin literate-nav, a folder in MkDocs' `nav` stands for all its pages.
  const page = folders && written.endsWith("/") ? undefined : pageAt(folder, target);
  if (page) return [{ file: page, ...(title !== undefined && { title }), children: [] }];
  const within = bare || base ? namesOutline(folder, target, report) : [];
  if (within.length > 0) return title === undefined ? within : [{ title, children: within }];
  report.push({ file, what: `the page ${written} is not in the folder`, done: "left out" });
  return [];
}

function pageAt(folder: Folder, target: string): string | undefined {
  const stem = target.replace(/\.html?$/i, "");
  const names = [target, ...["md", "markdown", "mdx", "ipynb", "Rmd", "qmd"].map((ending) => `${stem}.${ending}`)];
  const indexes = ["index.md", "README.md", "_index.md"].map((name) => (target ? `${target}/${name}` : name));
  return [...names, ...indexes].find((name) => isPage(name) && folder.files.has(name));
}

function sidebarEntries(folder: Folder, report: ImportNote[]): OutlineEntry[] {
  const file = "_sidebar.md";
  const { entries } = readSummary(folder.text(file), report, file, { plainItems: true });
  const context = { folder, base: "", file, report };
  const read = (entry: SummaryEntry): OutlineEntry[] => {
    const own = entry.kind === "chapter" && entry.file !== null ? linkedEntries(entry.file, entry.title, context) : [];
    const children = (entry.children as Chapter[]).flatMap(read);
    if (children.length === 0) return own;
    const [page] = own;
    return [{ title: entry.title, ...(page?.file && { file: page.file }), children }];
  };
  const found = entries.flatMap(read);
  const home = pageAt(folder, "");
  const named = new Set(found.flatMap(filesOf));
  return home && !named.has(home) ? [{ file: home, children: [] }, ...found] : found;
}

/** The `_toc.yml` of a Jupyter Book (root; parts with chapters; sections), or the `toc` of a `myst.yml`. */
function jupyterOutline(folder: Folder, report: ImportNote[]): Outline {
  const facts = siteFacts(folder, report);
  const file = folder.files.has("_toc.yml") ? "_toc.yml" : "myst.yml";
  const settings = readSettings(folder, file, report);
  const context = { folder, base: "", file, report };
  const project = isRecord(settings.project) ? settings.project : {};
  const list = (value: unknown): OutlineEntry[] => (Array.isArray(value) ? value.flatMap(read) : []);
  const read = (item: unknown): OutlineEntry[] => {
    if (!isRecord(item)) return [];
    const title = asText(item.title) ?? asText(item.caption);
    const children = ["chapters", "sections", "children"].flatMap((key) => list(item[key]));
    const written = asText(item.file) ?? asText(item.url);
    const [own] = written === undefined ? [] : linkedEntries(written, title, context);
    if (children.length === 0) return own ? [own] : [];
    if (!own && title === undefined) return children;
    return [{ ...own, ...(title !== undefined && { title }), children }];
  };
  const root = asText(settings.root);
  const entries = [
    ...(root === undefined ? [] : linkedEntries(root, undefined, context)),
    ...["parts", "chapters", "sections"].flatMap((key) => list(settings[key])),
    ...list(project.toc),
  ];
  const listed = entries.length > 0;
  return {
    ...facts,
    title: facts.title ?? asText(project.title),
    description: facts.description ?? asText(project.description),
    base: "",
    from: listed ? file : null,
    entries: listed ? entries : namesOutline(folder, "", report),
  };
}

/** The chapters of a book, or the side bar of a site, in Quarto's `_quarto.yml`. */
function quartoOutline(folder: Folder, report: ImportNote[]): Outline {
  const file = "_quarto.yml";
  const settings = readSettings(folder, file, report);
  const [book, website] = [settings.book, settings.website].map((value) => (isRecord(value) ? value : {})) as [Settings, Settings];
  const sidebars = [website.sidebar].flat().filter(isRecord);
  const context = { folder, base: "", file, report };
  const list = (value: unknown): OutlineEntry[] => (Array.isArray(value) ? value.flatMap(read) : []);
  const read = (item: unknown): OutlineEntry[] => {
    if (typeof item === "string") return linkedEntries(item, undefined, context);
    if (!isRecord(item)) return [];
    const children = [...list(item.chapters), ...list(item.contents)];
    const part = asText(item.part) ?? asText(item.section);
    const written = asText(item.file) ?? asText(item.href) ?? (part !== undefined && /\.\w+$/.test(part) ? part : undefined);
    const title = asText(item.text) ?? (part === written ? undefined : part);
    const [own] = written === undefined ? [] : linkedEntries(written, title, context);
    if (children.length === 0) return own ? [own] : [];
    return own || title !== undefined ? [{ ...own, ...(title !== undefined && { title }), children }] : children;
  };
  const entries = [...list(book.chapters), ...list(book.appendices), ...sidebars.flatMap(({ contents }) => list(contents))];
  const author = asText([book.author].flat()[0]);
  return {
    base: "",
    from: entries.length > 0 ? file : null,
    title: asText(book.title) ?? asText(website.title),
    description: asText(book.description) ?? asText(website.description),
    authors: author ? [author] : [],
    language: asText(settings.lang),
    site: asText(book["site-url"]) ?? asText(website["site-url"]),
    entries: entries.length > 0 ? entries : namesOutline(folder, "", report),
  };
}
