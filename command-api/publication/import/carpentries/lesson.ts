import path from "node:path";
import { ImportError, type ImportNote } from "../importer.ts";
import type { Folder } from "../markdown/folder.ts";
import { asText, isRecord } from "../markdown/front-matter.ts";
import { parseYaml } from "../yaml-value.ts";

/** What `config.yaml` says of a lesson, and which pages it has, in order. */
export interface Lesson {
  title: string | undefined;
  language: string;
  license: string | undefined;
  /** Where the lesson is published. */
  site: string | undefined;
  pages: { overview: string[]; episodes: string[]; learners: string[]; instructors: string[]; profiles: string[]; about: string[] };
}

/** Reads the plan of a Carpentries Workbench lesson. @throws {ImportError} when the folder is none. */
export function readLesson(folder: Folder, report: ImportNote[]): Lesson {
  if (!isLesson(folder)) throw new ImportError("This is no Carpentries lesson: it needs config.yaml and pages in episodes/.");
  const config = readConfig(folder);
  const listed = (key: "episodes" | "learners" | "instructors" | "profiles"): string[] => {
    const inFolder = pagesIn(folder, key);
    const names = Array.isArray(config[key]) ? config[key].map(asText).filter((name) => name !== undefined) : [];
    if (names.length === 0) return key === "learners" ? setupFirst(inFolder) : inFolder;
    const found = names.flatMap((name) => {
      const file = `${key}/${name}`;
      if (folder.files.has(file)) return [file];
      report.push({ file: "config.yaml", what: `the page ${file} is listed but not there`, done: "left out" });
      return [];
    });
    const unlisted = inFolder.filter((file) => !found.includes(file));
    const shown = key === "learners" ? unlisted.filter((file) => alwaysShown.test(file)) : [];
    const what = key === "episodes" ? "an episode that config.yaml does not list" : "a page that config.yaml does not list";
    for (const file of unlisted) if (!shown.includes(file)) report.push({ file, what, done: "left out" });
    return [...shown.filter(isSetup), ...found, ...shown.filter((file) => !isSetup(file))];
  };
  const episodes = listed("episodes");
  if (episodes.length === 0) throw new ImportError("This lesson has no episodes.");
  return {
    title: asText(config.title),
    language: languageOf(asText(config.lang)),
    license: asText(config.license)?.slice(0, 200),
    site: siteOf(config),
    pages: {
      overview: ["index.md", "index.Rmd"].filter((file) => folder.files.has(file)).slice(0, 1),
      episodes,
      learners: listed("learners"),
      instructors: listed("instructors"),
      profiles: listed("profiles"),
      about: ["LICENSE.md", "CODE_OF_CONDUCT.md"].filter((file) => folder.files.has(file)),
    },
  };
}

/** Whether a folder looks like a Carpentries Workbench lesson. */
export const isLesson = (folder: Folder): boolean =>
  (folder.files.has("config.yaml") || folder.files.has("config.yml")) && pagesIn(folder, "episodes").length > 0;

function readConfig(folder: Folder): Record<string, unknown> {
  const file = folder.files.has("config.yaml") ? "config.yaml" : "config.yml";
  try {
    const config: unknown = parseYaml(folder.text(file));
    return isRecord(config) ? config : {};
  } catch (error) {
    throw new ImportError(`${file} cannot be read as YAML: ${error instanceof Error ? error.message.split("\n")[0] : String(error)}`, {
      cause: error,
    });
  }
}

function pagesIn(folder: Folder, under: string): string[] {
  return [...folder.files].filter((file) => path.posix.dirname(file) === under && /\.R?md$/i.test(file)).sort();
}

/** Pages for learners that the Workbench shows even if they are not listed. */
const alwaysShown = /\/(?:setup|reference)\.R?md$/i;
const isSetup = (file: string): boolean => /\/setup\.R?md$/i.test(file);

/** Nobody can follow a lesson before its setup. */
const setupFirst = (files: string[]): string[] => [...files.filter(isSetup), ...files.filter((file) => !isSetup(file))];

export const languageOf = (tag: string | undefined): string => (tag && /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/.test(tag) ? tag : "en");

/** The published lesson's address: given, or that of the repository's GitHub pages. */
function siteOf(config: Record<string, unknown>): string | undefined {
  const url = asText(config.url);
  if (url && /^https?:\/\//.test(url)) return url.replace(/\/+$/, "");
  const repository = /^https:\/\/github\.com\/([\w-]+)\/([\w.-]+?)(?:\.git)?\/?$/.exec(asText(config.source) ?? "");
  return repository ? `https://${(repository[1] ?? "").toLowerCase()}.github.io/${repository[2]}` : undefined;
}
