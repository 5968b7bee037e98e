import path from "node:path";
import { parse } from "smol-toml";
import { ImportError } from "../importer.ts";
import type { Folder } from "../markdown/folder.ts";
import { asText, isRecord } from "../markdown/front-matter.ts";
import { licenseOf } from "../markdown/license.ts";
import type { Dialect } from "../markdown/page.ts";

/** What `book.toml` says, as far as it matters to readers. */
export interface Book {
  title: string | undefined;
  description: string | undefined;
  authors: string[];
  language: string | undefined;
  license: string | undefined;
  /** Path of SUMMARY.md in the folder. */
  summary: string;
  /** Address of the book's repository, for links to files that are no pages. */
  repository: string | undefined;
  math: Dialect["math"];
  dashes: Dialect["dashes"];
  /** Whether folded details are notes for speakers, as the scripts of Comprehensive Rust make them. */
  speakerNotes: boolean;
  /** Prefixes of hidden code lines, by language. */
  hidden: Map<string, string>;
  /** No book.toml: a folder of pages with a table of contents, as GitBook and others have it, too. */
  isPlain: boolean;
}

/** Whether a folder looks like an mdBook. */
export const isBook = (folder: Folder): boolean => folder.files.has("book.toml") || findSummary(folder, "src") !== null;

/** Reads the plan of an mdBook: SUMMARY.md may lie in `src`, beside book.toml, or the folder may be the source folder itself. @throws {ImportError} when there is none. */
export function readBook(folder: Folder): Book {
  const isPlain = !folder.files.has("book.toml");
  const config = isPlain ? {} : readToml(folder.text("book.toml"));
  const book = part(config, "book");
  const html = part(part(config, "output"), "html");
  const summary = findSummary(folder, asText(book.src) ?? "src");
  if (summary === null) throw new ImportError("This is no mdBook: there is no SUMMARY.md, neither beside book.toml nor in src/.");
  const hidden = new Map<string, string>();
  for (const prefixes of [part(part(html, "playground"), "boring-prefixes"), part(part(html, "code"), "hidelines")])
    for (const [language, prefix] of Object.entries(prefixes))
      if (typeof prefix === "string" && prefix) hidden.set(language.toLowerCase(), prefix);
  const katex = Object.keys(part(config, "preprocessor")).some((name) => /katex|math/i.test(name));
  const smart = html["smart-punctuation"] === true || html["curly-quotes"] === true;
  return {
    title: asText(book.title),
    description: asText(book.description),
    authors: Array.isArray(book.authors) ? book.authors.map(asText).filter((name) => name !== undefined) : [],
    language: asText(book.language),
    license: licenseOf(folder),
    summary,
    repository: asText(html["git-repository-url"])?.replace(/\/+$/, ""),
    // GitBook writes a backslash before every bracket.
    math: isPlain
      ? folder.holds(".gitbook.yaml")
        ? "dollars"
        : "dollars-or-brackets"
      : katex
        ? "dollars"
        : html["mathjax-support"] === true
          ? "backslashes"
          : "none",
    dashes: smart ? "both" : "long",
    speakerNotes: [html["additional-js"], html["additional-css"]].some((files) => /speaker-?notes/i.test(JSON.stringify(files) ?? "")),
    hidden,
    isPlain,
  };
}

function findSummary(folder: Folder, source: string): string | null {
  const places = [path.posix.normalize(path.posix.join(source, "SUMMARY.md")), "SUMMARY.md", "src/SUMMARY.md"];
  return places.find((place) => folder.files.has(place)) ?? null;
}

function readToml(text: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (error) {
    throw new ImportError(`book.toml cannot be read: ${error instanceof Error ? error.message.split("\n")[0] : String(error)}`, {
      cause: error,
    });
  }
}

function part(of: Record<string, unknown>, key: string): Record<string, unknown> {
  const value = of[key];
  return isRecord(value) ? value : {};
}
